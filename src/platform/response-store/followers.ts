/** The members that follow each object. Most objects have one follower, which takes much less memory without a set. */
export function followersOf<Member extends object>() {
  const held = new Map<number, Member | Set<Member>>()
  return {
    add(id: number, member: Member): void {
      const own = held.get(id)
      if (own instanceof Set) own.add(member)
      else held.set(id, own === undefined || own === member ? member : new Set([own, member]))
    },
    delete(id: number, member: Member): void {
      const own = held.get(id)
      if (own instanceof Set) own.delete(member)
      if (own === member || (own instanceof Set && own.size === 0)) held.delete(id)
    },
    of(id: number): readonly Member[] {
      const own = held.get(id)
      if (own === undefined) return []
      return own instanceof Set ? [...own] : [own]
    },
  }
}
