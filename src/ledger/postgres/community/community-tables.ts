import { LOOKED_BACK } from '../../message-row.ts'
import { MESSAGES_KEPT, REPEATED_MS } from '../../ports/watercooler-book.ts'
import { TEXT } from '../basic-tables.ts'
import { neverChanged } from '../guards.ts'

/**
 * The operator may remove any message, so rows may go; a number is never given twice. What visitors typed is kept as
 * bytes of UTF-8: the database's own text cannot hold every character, NUL is not in it.
 */
const MESSAGES = `
  CREATE TABLE community_messages (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at_ms bigint NOT NULL,
    author bytea NOT NULL,
    message bytea NOT NULL
  );
  ${neverChanged('community_messages')}
`

/** One process at a time, in one call: who waits for his turn keeps a connection from others. */
const ADD_MESSAGE = `
  CREATE FUNCTION add_message(new_ms bigint, new_author bytea, new_message bytea,
    OUT said community_messages, OUT is_repeated boolean) LANGUAGE plpgsql AS $$
  BEGIN
    LOCK TABLE community_messages IN EXCLUSIVE MODE;
    SELECT * INTO said FROM community_messages
    WHERE id > (SELECT max(id) FROM community_messages) - ${LOOKED_BACK} AND abs(new_ms - at_ms) < ${REPEATED_MS}
      AND author = new_author AND message = new_message
    ORDER BY id LIMIT 1;
    is_repeated := FOUND;
    IF is_repeated THEN RETURN; END IF;
    INSERT INTO community_messages (at_ms, author, message) VALUES (new_ms, new_author, new_message)
    RETURNING * INTO said;
    DELETE FROM community_messages WHERE id <= (
      SELECT id FROM community_messages ORDER BY id DESC LIMIT 1 OFFSET ${MESSAGES_KEPT});
  END $$;
`

const PAGE_VIEWS = `
  CREATE TABLE community_page_views (
    day bigint NOT NULL,
    page ${TEXT} NOT NULL,
    views bigint NOT NULL CHECK (views >= 0),
    visitors bigint NOT NULL CHECK (visitors >= 0),
    PRIMARY KEY (day, page)
  );
`

export const COMMUNITY = MESSAGES + ADD_MESSAGE + PAGE_VIEWS
