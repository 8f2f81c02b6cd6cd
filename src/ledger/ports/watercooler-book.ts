import { MINUTE_MS } from '../../core/time/time.ts'

/** Messages that are kept; the oldest gives way. */
export const MESSAGES_KEPT = 5_000

/** The same words under the same name so soon after are the same message: somebody pressed twice, or asked again. */
export const REPEATED_MS = MINUTE_MS

/** What a visitor typed, as text. Nothing of where it came from is kept. */
export type MessageRow = { id: number; atMs: number; author: string; message: string }

export type WatercoolerBook = {
  /**
   * Durable when it resolves; a repeated one is not added, and the first one comes back. Numbers grow and are never used
   * again, also after the newest was removed.
   */
  add(row: Omit<MessageRow, 'id'>): Promise<{ row: MessageRow; isRepeated: boolean }>
  /** Newest first. */
  newest(limit: number): Promise<readonly MessageRow[]>
  /** Gives what was removed; undefined where there is no such message. */
  remove(id: number): Promise<MessageRow | undefined>
}
