export const writableTexts = ['name', 'description', 'short_description']

/** Whether a run can write the field. */
export const isWritable = (field: string) => writableTexts.includes(field) || field.startsWith('attributes.')
