/** `npm run test:kills` kills at every step; the usual run leaves out what takes long and is told by a later step too. */
export const isEveryStepKilled = process.env['CATALOG_TEST_KILLS'] === 'all'
