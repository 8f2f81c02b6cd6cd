import { countRows, ledgerPath, readLedger } from '../../src/ledger/files/ledger-file.ts'
import type { World } from './world.ts'

/** The figures count only if our service really kept its books: one line per ledger. */
export function checkLedgers({ sellers }: World): string[] {
  return [...sellers].flatMap(([name, { dir, count }]) => {
    if (!name.endsWith('/tollbook')) return []
    const { payments, settled, replies } = readLedger(ledgerPath(dir), countRows)
    const isWhole = [payments, settled, replies].every((rows) => rows === count.paid)
    const found = `${count.paid} paid calls, in the ledger ${payments} payments, ${settled} settled, ${replies} replies`
    return `${name}: ${found}: ${isWhole ? 'all there' : 'NOT THE SAME'}\n`
  })
}
