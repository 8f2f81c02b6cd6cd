import { mkdtempSync, openSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createLog } from './log.ts'
import { secret } from './secret.ts'

function logged(write: (log: ReturnType<typeof createLog>) => void): string {
  const file = join(mkdtempSync(join(tmpdir(), 'log-')), 'log')
  const log = createLog({ level: 'info', fd: openSync(file, 'w') })
  write(log)
  log.flush()
  return readFileSync(file, 'utf8')
}

test('one JSON line per call, below the level nothing', () => {
  const text = logged((log) => {
    log.debug({ a: 1 }, 'unseen')
    log.info({ product: 'x', ms: 2 }, 'served')
  })
  const lines = text.trim().split('\n')
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'info', product: 'x', ms: 2, msg: 'served' })
})

test('payments, tokens and keys never reach the log', () => {
  const canary = 'canary-canary-canary'
  const text = logged((log) => {
    log.info(
      { headers: { authorization: canary, 'payment-signature': canary, 'x-payment': canary } },
      'request',
    )
    log.info({ private_key: canary, wallet: { secret_key: canary }, key: secret(canary) }, 'wallet')
  })
  expect(text).not.toContain(canary)
  expect(text.match(/\[secret\]/g)).toHaveLength(5)
})
