import { MESSAGES_KEPT } from '../../ports/watercooler-book.ts'
import { neverChanged, onlyOnce } from '../guards.ts'

/** The operator may remove any message, so rows may go; a number is never given twice. */
export const COMMUNITY = `
  CREATE TABLE community_messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at_ms INTEGER NOT NULL,
    author TEXT NOT NULL,
    message TEXT NOT NULL
  ) STRICT;
  ${neverChanged('community_messages')}
  ${onlyOnce('community_messages', 'id')}
  CREATE TRIGGER community_messages_bound AFTER INSERT ON community_messages
  BEGIN
    DELETE FROM community_messages WHERE id IN (
      SELECT id FROM community_messages ORDER BY id DESC LIMIT -1 OFFSET ${MESSAGES_KEPT}
    );
  END;
  CREATE TABLE community_page_views (
    day INTEGER NOT NULL,
    page TEXT NOT NULL,
    views INTEGER NOT NULL CHECK (views >= 0),
    visitors INTEGER NOT NULL CHECK (visitors >= 0),
    PRIMARY KEY (day, page)
  ) STRICT, WITHOUT ROWID;
`
