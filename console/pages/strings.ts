export const strings = {
  noProjects: {
    title: 'No projects yet',
    lead: 'You are not a member of any project. Ask the operator to add you to one, then reload this page.',
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
