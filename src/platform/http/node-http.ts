/** An import of a value from node:http would load the web client that it exports beside, at every start. */
export const http = process.getBuiltinModule('node:http')
