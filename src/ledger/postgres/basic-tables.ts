import { REFUSE } from './guards.ts'

/** Text that is sorted and compared byte by byte, whatever language the database is set to. */
export const TEXT = 'text COLLATE "C"'

export const BASICS = `
  ${REFUSE}
  CREATE TABLE demo_calls (
    day bigint NOT NULL,
    client ${TEXT} NOT NULL,
    used bigint NOT NULL CHECK (used >= 0),
    PRIMARY KEY (day, client)
  );
`
