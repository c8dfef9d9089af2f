/** The page that a tab shows after a sign-in for another tab. */
export const doneElsewhere = '/sign-in-done'
