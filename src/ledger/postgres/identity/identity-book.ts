import { MODES, type Mode } from '../../../config/variables/variable.ts'
import type { IdentityBook, LedgerIdentity } from '../../ports/ledger-identity.ts'
import { TEXT } from '../basic-tables.ts'
import type { Database, Query } from '../database.ts'
import { neverRemoved, refuse } from '../guards.ts'

/** One row. Who may change it is decided before it is written; the mode and the id never change. */
export const IDENTITY = `
  CREATE TABLE ledger_identity (
    one integer PRIMARY KEY CHECK (one = 1),
    ledger_id ${TEXT} NOT NULL CHECK (length(ledger_id) >= 16),
    mode ${TEXT} NOT NULL CHECK (mode IN (${MODES.map((mode) => `'${mode}'`).join(', ')})),
    pay_to_evm ${TEXT} NOT NULL,
    pay_to_svm ${TEXT} NOT NULL,
    place ${TEXT} NOT NULL
  );
  ${refuse('ledger_identity_stays', 'UPDATE ON ledger_identity', 'a ledger keeps its id and its mode', 'NEW.ledger_id <> OLD.ledger_id OR NEW.mode <> OLD.mode')}
  ${neverRemoved('ledger_identity')}
`

const SAVE = `
  INSERT INTO ledger_identity VALUES (1, $1, $2, $3, $4, $5)
  ON CONFLICT (one) DO UPDATE SET ledger_id = excluded.ledger_id, mode = excluded.mode,
    pay_to_evm = excluded.pay_to_evm, pay_to_svm = excluded.pay_to_svm, place = excluded.place`

export function createPostgresIdentityBook({ query }: Pick<Database, 'query'>): IdentityBook {
  return {
    find: () => findIdentity(query),
    async save({ ledgerId, mode, payTo, place }) {
      await query(SAVE, [ledgerId, mode, payTo.evm, payTo.svm, place])
    },
  }
}

export async function findIdentity(query: Query): Promise<LedgerIdentity | undefined> {
  const [row] = (await query('SELECT * FROM ledger_identity')).rows
  return (
    row && {
      ledgerId: String(row.ledger_id),
      // The table's own CHECK allows no other text.
      mode: String(row.mode) as Mode,
      payTo: { evm: String(row.pay_to_evm), svm: String(row.pay_to_svm) },
      place: String(row.place),
    }
  )
}
