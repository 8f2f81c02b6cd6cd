const forbid = (table: string, what: 'UPDATE' | 'DELETE') => `
  CREATE TRIGGER ${table}_no_${what.toLowerCase()} BEFORE ${what} ON ${table}
  BEGIN SELECT RAISE(ABORT, 'the record is only added to'); END;
`

/**
 * The insert triggers also stop `INSERT OR REPLACE`, which removes rows without firing the delete triggers. A head is
 * inserted after the leaves it covers, in the same transaction.
 */
export const RECORD = `
  CREATE TABLE record_leaves (seq INTEGER PRIMARY KEY, id TEXT NOT NULL, text TEXT NOT NULL) STRICT;
  CREATE INDEX record_leaves_id ON record_leaves (id);
  CREATE TABLE record_heads (
    tree_size INTEGER PRIMARY KEY,
    root_hash TEXT NOT NULL CHECK (length(root_hash) = 64),
    at_ms INTEGER NOT NULL,
    key_id TEXT NOT NULL,
    signature TEXT NOT NULL
  ) STRICT;
  CREATE TABLE record_secrets (id TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE record_anchors (
    tree_size INTEGER NOT NULL,
    root_hash TEXT NOT NULL CHECK (length(root_hash) = 64),
    network TEXT NOT NULL,
    tx TEXT NOT NULL,
    at_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX record_anchors_size ON record_anchors (tree_size, at_ms);
  CREATE TRIGGER record_leaves_at_the_end BEFORE INSERT ON record_leaves
  WHEN NEW.seq IS NOT (SELECT coalesce(max(seq) + 1, 0) FROM record_leaves)
  BEGIN SELECT RAISE(ABORT, 'a leaf goes to the end of the record'); END;
  CREATE TRIGGER record_heads_cover_all BEFORE INSERT ON record_heads
  WHEN NEW.tree_size IS NOT (SELECT max(seq) + 1 FROM record_leaves)
    OR NEW.tree_size <= (SELECT coalesce(max(tree_size), 0) FROM record_heads)
  BEGIN SELECT RAISE(ABORT, 'a head covers all leaves, once'); END;
  ${['record_leaves', 'record_heads', 'record_anchors'].map((table) => forbid(table, 'DELETE')).join('')}
  ${['record_leaves', 'record_heads', 'record_anchors', 'record_secrets'].map((table) => forbid(table, 'UPDATE')).join('')}
`

/** Heads written before have no mode. Once one is stated, every later head states the same. */
export const RECORD_MODE = `
  ALTER TABLE record_heads ADD COLUMN mode TEXT;
  CREATE TRIGGER record_heads_one_mode BEFORE INSERT ON record_heads
  WHEN NEW.mode IS NOT coalesce((SELECT mode FROM record_heads ORDER BY tree_size DESC LIMIT 1), NEW.mode)
  BEGIN SELECT RAISE(ABORT, 'a record is of one mode'); END;
`
