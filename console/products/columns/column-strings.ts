/** In its own file, because every page reads column names, and few read the other texts of the list. */
export const columnLabels = {
  stock: 'Stock',
  score: 'Score',
  updated: 'Updated',
  created: 'Created',
  images: 'Images',
  id: 'ID',
}
