/** Advisory locks for the whole database, one number each: in PostgreSQL, locks of sessions and of transactions share one key space. */
export const LOCKS = { migrations: 5_783_001, partitions: 5_783_002, backup: 5_783_003 } as const
