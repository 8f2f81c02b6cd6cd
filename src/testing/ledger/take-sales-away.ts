import type { DatabaseSync } from 'node:sqlite'

/** Leaves a ledger without sums of sales, as releases before version 11 wrote it, and without what came after; the version stays to be set. */
export function takeSalesAway(db: DatabaseSync): void {
  db.exec(`
    DROP TRIGGER payments_keeps;
    DROP TABLE ledger_moved;
    DROP TABLE finality_marks; DROP TABLE undone_payments; DROP TABLE settle_hints;
    DROP TRIGGER payments_counted;
    ALTER TABLE payments ADD COLUMN boot_id TEXT NOT NULL DEFAULT 'boot';
    DROP TABLE sales_kinds; DROP TABLE sales_days; DROP TABLE sales_payers; DROP TABLE sales_payer_days;
  `)
}
