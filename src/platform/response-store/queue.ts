/** A member of a queue. It can leave from any place. */
export type Queued = { before: Queued | undefined; after: Queued | undefined }

/** First in, first out, as a linked list: a Map would have to skip everything that was deleted from its start. */
export type Queue<Member extends Queued> = { first: Member | undefined; last: Member | undefined }

export function createPlace(): Queued {
  return { before: undefined, after: undefined }
}

export function enqueue<Member extends Queued>(queue: Queue<Member>, member: Member): void {
  member.before = queue.last
  member.after = undefined
  if (queue.last === undefined) queue.first = member
  else queue.last.after = member
  queue.last = member
}

export function leaveQueue<Member extends Queued>(queue: Queue<Member>, member: Member): void {
  if (member.before === undefined) queue.first = member.after as Member | undefined
  else member.before.after = member.after
  if (member.after === undefined) queue.last = member.before as Member | undefined
  else member.after.before = member.before
}
