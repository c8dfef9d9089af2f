export const strings = {
  before: 'Before',
  after: 'After',
  none: 'no media',
  noAlt: 'No alternative text',
  added: 'Added:',
  removed: 'Removed:',
}
