import type { Log } from '../core/log.ts'
import { ServiceError } from '../core/service-error.ts'
import type { Clock } from '../core/time/clock.ts'
import type { AuditRow, OperatorBook } from '../ledger/ports/operator-book.ts'
import { auditedParams } from './audited-params.ts'

/** One call on its way. */
export type AuditedCall = {
  /** Whose key it came with. */
  by(keyId: string): void
  read(params: object): void
  /** Before something is done: throws where that cannot be written down, and then nothing may be done. */
  begin(): Promise<void>
  /** Never fails: what was done is done. */
  end(status: number): Promise<void>
}
export type OperatorAudit = {
  open(call: Pick<AuditRow, 'client' | 'method' | 'endpoint' | 'requestId'>): AuditedCall
}
type Ports = {
  clock: Clock
  log: Log
  book: Pick<OperatorBook, 'beginAudit' | 'endAudit' | 'noteAudit'>
}

/** A row for every call of an operator route: who, what, from where and how it ended. */
export function createOperatorAudit({ clock, log, book }: Ports): OperatorAudit {
  return {
    open(call) {
      const atMs = clock.now()
      let keyId: string | undefined
      let params: string | undefined
      let seq: number | undefined
      const row = () => ({ ...call, atMs, keyId, params })
      return {
        by(id) {
          keyId = id
        },
        read(given) {
          params = auditedParams(given)
        },
        async begin() {
          seq = await book.beginAudit(row()).catch((cause: unknown) => {
            throw new ServiceError('store_unavailable', 'the audit cannot be written, so nothing was done', {
              hint: 'try again after Retry-After; GET /health says whether the disk is well',
              cause,
            })
          })
        },
        async end(status) {
          if (seq === undefined) return book.noteAudit({ ...row(), status })
          await book.endAudit(seq, status).catch((err: unknown) => {
            log.error(
              { err, id: call.requestId, status },
              'the outcome of an operator call is not in the audit',
            )
          })
        },
      }
    },
  }
}
