import pg from 'pg'

/** A statement with a name is prepared once per connection. */
export type PreparedStatement = { text: string; name?: string }

/**
 * Runs a statement on a connection. The driver copies an object of options property by property, which takes longer than sending a
 * small statement, so the options are set on its query.
 */
export async function submitStatement<Row>(
  client: pg.ClientBase,
  { text, name }: PreparedStatement,
  values: unknown[],
  timeoutMilliseconds: number | undefined,
): Promise<Row[]> {
  try {
    return await new Promise<Row[]>((resolve, reject) => {
      const query = new pg.Query(text, values, (error, result) =>
        error ? reject(error) : resolve(result.rows as Row[]),
      )
      client.query(Object.assign(query, { name, query_timeout: timeoutMilliseconds }))
    })
  } catch (error) {
    // The stack of a server's error starts in the driver, and does not name the caller.
    Error.captureStackTrace(error as Error)
    throw error
  }
}
