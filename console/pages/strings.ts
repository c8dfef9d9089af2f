export const strings = {
  noProjects: {
    title: 'No projects yet',
    lead: 'You are not a member of any project. Ask a manager to invite you, or the operator to add you. Then reload this page.',
  },
  missing: {
    title: 'Page not found',
    lead: 'The URL is wrong, or you don’t have access to this page.',
    home: 'Go to the home page',
  },
  broken: {
    title: 'The page failed to load',
    lead: 'Reload it, or contact the operator.',
  },
}
