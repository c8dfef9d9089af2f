const dayShape = /^\d{4}-\d\d-\d\d$/
const timeShape = /^T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?Z$/

export function isDay(text: string): boolean {
  if (!dayShape.test(text)) return false
  const day = new Date(`${text}T00:00:00Z`)
  // Date turns February 30 into a day of March.
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

/** A day, or a time in UTC. */
export function isDate(text: string): boolean {
  return text.length === 10 ? isDay(text) : isDay(text.slice(0, 10)) && timeShape.test(text.slice(10))
}
