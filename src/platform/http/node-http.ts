/** Importing a value from node:http would also load the web client that it exports, at every start. */
export const http = process.getBuiltinModule('node:http')
