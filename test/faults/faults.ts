/** What the service has to live through. A test of it begins, or its group does, with `fault 4: `. */
export const faults: Record<number, string> = {
  1: 'The service is killed in the middle of writes',
  2: 'The very first start is killed, at any moment',
  3: 'The service is killed in the middle of a push of 10,000 lines',
  4: 'PostgreSQL is killed, restarted, stopped or hung under load',
  5: 'PostgreSQL cannot be reached at a start; several start at once',
  6: 'The disk is full',
  7: 'Two services on one data folder',
  8: 'Slow headers, slow bodies, slow readers',
  9: 'Bodies over the limit, of a false length, without an end',
  10: 'Addresses and headers that are too long or malformed',
  11: 'Methods that are smuggled in, or not taken',
  12: 'SIGTERM under load',
  13: 'Deep nesting and duplicate keys in JSON',
  14: 'Text that cannot be stored',
  15: 'Numbers in addresses that are no plain digits',
  16: 'Prices that would have to be rounded',
  17: 'Quotes, wildcards and escapes in filters and orderings',
  18: 'Attribute names that mean something to JavaScript',
  19: 'One SKU in several spellings',
  20: 'Many writers of one product, SKU or stock at once',
  21: 'Ids of another project',
  22: 'A revocation, rotation or change of plan beside four processes',
  23: 'Tokens in logs, answers, metrics or tables',
  24: 'Clients that hang up while an answer is streamed',
  25: 'Clients that read slowly, or not at all',
  26: 'Writers that wait for rows of each other',
  27: 'Products of the largest size, everywhere',
  28: 'A browser that goes offline before, during and after an act',
  29: 'Servers with unsafe settings, standbys, poolers, other isolation',
  30: 'A database that was restored, cloned or rewound',
}

/** What of them cannot be tried yet. */
export const notYet: Record<number, string> = {
  30: 'There are no webhooks and no cursors of events yet',
}
