import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { signRecoverable } from 'tiny-secp256k1'
import { afterEach, expect, test } from 'vitest'
import { createManualClock } from '../../../../core/time/manual-clock.ts'
import { temporaryDir } from '../../../../testing/ledger/temporary-dir.ts'
import type { Hex } from '../evm-authorization.ts'
import { findSigner } from '../evm-signature.ts'
import { ANSWER_WITHIN_MS, createSignerThread, openSigners, REST_MS, type Signers } from './signers.ts'

const opened: Signers[] = []
afterEach(() => Promise.all(opened.splice(0).map((signers) => signers.close())))

function open(program?: URL) {
  const failures: string[] = []
  const clock = createManualClock(0)
  const onFailure = ({ message }: Error) => void failures.push(message)
  const signers = createSignerThread({ clock, onFailure, ...(program && { program }) })
  opened.push(signers)
  return { ...signers, failures, clock }
}

function signed(text: string): [Uint8Array, Hex] {
  const hash = createHash('sha256').update(text).digest()
  const key = createHash('sha256').update(`key of ${text}`).digest()
  const { signature, recoveryId } = signRecoverable(hash, key)
  return [hash, `0x${Buffer.from(signature).toString('hex')}${recoveryId === 0 ? '1b' : '1c'}`]
}

test('the thread says of many at once what this one says, of bad ones too', async () => {
  const { find, failures } = open()
  const good = Array.from({ length: 50 }, (_, index) => signed(`payment ${index}`))
  const [hash, signature] = good[0] as [Uint8Array, Hex]
  const highS: Hex = `0x${signature.slice(2, 66)}${'f'.repeat(32)}${'0'.repeat(32)}1b`
  const noPoint: Hex = `0x${'0'.repeat(64)}${signature.slice(66)}`
  const asked = [
    ...good,
    [hash, highS] as const,
    [hash, noPoint] as const,
    [hash, `0x${'ab'.repeat(80)}`] as const,
  ]
  const first = await Promise.all(asked.map(([hash, signature]) => find(hash, signature)))
  expect(first).toEqual(asked.map(([hash, signature]) => findSigner(hash, signature)))
  expect(first.filter((signer) => signer === undefined).length).toBeGreaterThan(1)
  const [other, by] = signed('a later turn')
  expect(await find(other, by)).toEqual(findSigner(other, by))
  expect(failures).toEqual([])
})

test('where the thread fails, this one does its work, and says so once', async () => {
  const program = join(temporaryDir(), 'broken.mjs')
  writeFileSync(program, 'throw new Error("broken")')
  const { find, failures } = open(pathToFileURL(program))
  const [hash, signature] = signed('a payment')
  const both = [find(hash, signature), find(hash, signature)]
  expect(both[0]).toBeInstanceOf(Promise)
  expect(await Promise.all(both)).toEqual([findSigner(hash, signature), findSigner(hash, signature)])
  expect(find(hash, signature)).toEqual(findSigner(hash, signature))
  expect(failures).toEqual(['broken'])
})

test('where no thread can be started this one does its work, and a new one is tried later', async () => {
  const { find, failures, clock } = open(new URL('http://127.0.0.1/no-thread-starts-from-there.mjs'))
  const [hash, signature] = signed('a payment')
  const both = [find(hash, signature), find(hash, signature)]
  expect(await Promise.all(both)).toEqual(Array(2).fill(findSigner(hash, signature)))
  expect(find(hash, signature)).toEqual(findSigner(hash, signature))
  expect(failures).toHaveLength(1)
  clock.advance(REST_MS)
  expect(await find(hash, signature)).toEqual(findSigner(hash, signature))
  expect(failures).toHaveLength(2)
})

test('a thread that falls silent is ended, this one does its work, and a new one is tried later', async () => {
  const program = join(temporaryDir(), 'silent.mjs')
  writeFileSync(
    program,
    "import { parentPort } from 'node:worker_threads'\nparentPort.on('message', () => {})",
  )
  const { find, failures, clock } = open(pathToFileURL(program))
  const [hash, signature] = signed('a payment')
  const first = find(hash, signature)
  await new Promise(setImmediate)
  // Another one meanwhile does not begin the wait anew.
  clock.advance(ANSWER_WITHIN_MS - 1)
  const second = find(hash, signature)
  await new Promise(setImmediate)
  expect(failures).toEqual([])
  clock.advance(1)
  expect(await Promise.all([first, second])).toEqual(Array(2).fill(findSigner(hash, signature)))
  expect(failures).toEqual([`the thread did not answer within ${ANSWER_WITHIN_MS} ms`])
  expect(find(hash, signature)).toEqual(findSigner(hash, signature))

  writeFileSync(program, `import '${new URL('./signer-thread.ts', import.meta.url).href}'`)
  clock.advance(REST_MS)
  const third = find(hash, signature)
  expect(third).toBeInstanceOf(Promise)
  expect(await third).toEqual(findSigner(hash, signature))
  clock.advance(2 * ANSWER_WITHIN_MS)
  expect(failures).toHaveLength(1)
})

test('what is asked when it closes is still answered', async () => {
  const { find, close, failures } = open()
  const [hash, signature] = signed('a payment')
  const asked = find(hash, signature)
  await close()
  expect(await asked).toEqual(findSigner(hash, signature))
  expect(failures).toEqual([])
})

test('with one core there is no thread', () => {
  const { find } = openSigners({ clock: createManualClock(0), onFailure: () => {} }, 1)
  const [hash, signature] = signed('a payment')
  expect(find(hash, signature)).toEqual(findSigner(hash, signature))
})
