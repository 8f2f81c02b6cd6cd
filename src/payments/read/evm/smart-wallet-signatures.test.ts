import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRateCounters } from '../../../access/rate-counters.ts'
import { systemClock } from '../../../core/time/clock.ts'
import { createManualClock } from '../../../core/time/manual-clock.ts'
import { createJsonRpc } from '../../chain/json-rpc.ts'
import { createSmartWalletSignatures } from './smart-wallet-signatures.ts'

type Request = { id: number; method: string }
let answer: (request: Request) => unknown
const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  response.end(JSON.stringify(answer(JSON.parse(body))))
})
let rpcUrl: string
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  rpcUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** Long, so that a busy machine does not time out. */
const PATIENT_MS = 60_000
const result =
  (value: unknown) =>
  ({ id }: Request) => ({ jsonrpc: '2.0', id, result: value })
const claim = {
  wallet: `0x${'77'.repeat(20)}`,
  hash: `0x${'12'.repeat(32)}`,
  signature: `0x${'34'.repeat(65)}`,
} as const
const wallets = (clock = systemClock) =>
  createSmartWalletSignatures({
    rpc: createJsonRpc({ rpcUrl, timeoutMs: PATIENT_MS }),
    clock,
    counters: createRateCounters({ clock }),
  })

const failing = (error: object) => {
  answer = (request) => ({ id: request.id, error })
}

test.each<[number, string]>([
  [3, 'execution reverted'],
  [3, 'anything'],
  [-32_000, 'execution reverted: rate limited'],
  [-32_000, 'out of gas'],
  [-32_000, 'invalid opcode: INVALID'],
  [-32_000, 'invalid opcode: opcode 0xc not defined'],
  [-32_000, 'stack underflow (0 <=> 1)'],
  [-32_000, 'stack limit reached 1024 (1023)'],
  [-32_000, 'invalid jump destination'],
  [-32_000, 'write protection'],
  [-32_000, 'return data out of bounds'],
  [-32_000, 'gas uint64 overflow'],
  [-32_000, 'intrinsic gas too low: have 21000, want 53000'],
  [-32_000, 'insufficient gas for floor data gas cost: have 1, want 2'],
  [-32_003, 'out of gas: gas required exceeds: 2000000'],
  [-32_603, 'EVM error: InvalidFEOpcode'],
  [-32_603, 'EVM error OutOfGas'],
  [-32_603, 'EVM error: StackUnderflow'],
  [-32_603, 'EVM error MemoryOOG'],
  [-32_603, 'EVM error InvalidOperandOOG'],
  [-32_603, 'EVM error OutOfOffset'],
  [-32_603, 'EVM error OpcodeNotFound'],
  [-32_603, 'EVM error: InvalidJump'],
  [-32_015, 'VM execution error: Bad instruction fe'],
])('a contract that fails refuses: %i %s', async (code, message) => {
  failing({ code, message })
  expect(await wallets().holds(claim)).toBe(false)
})

test.each<[number, string]>([
  [-32_005, 'rate limited'],
  [-32_005, 'daily request count exceeded, request rate limited'],
  [-32_000, 'execution aborted (timeout = 5s)'],
  [-32_000, 'header not found'],
  [-32_000, 'missing trie node 1234 (path ) state is not available'],
  [-32_601, 'the method eth_call does not exist/is not available'],
  [-32_603, 'Internal error'],
  [-32_603, 'EVM error Database'],
  [-32_602, 'invalid argument 0: hex string has length 39, want 40 for common.Address'],
])('a node that fails is unavailable: %i %s', async (code, message) => {
  failing({ code, message })
  await expect(wallets().holds(claim)).rejects.toMatchObject({ code: 'payments_unavailable' })
})

const MAGIC = '1626ba7e'
test.each<[string, string, boolean]>([
  ['the word of the standard', `0x${MAGIC}${'0'.repeat(56)}`, true],
  ['the same in capitals', `0x${MAGIC.toUpperCase()}${'0'.repeat(56)}`, true],
  ['what it was asked', `0x${MAGIC}${'12'.repeat(32)}${'0'.repeat(64)}`, false],
  ['something behind the four bytes', `0x${MAGIC}${'f'.repeat(56)}`, false],
  ['four bytes only', `0x${MAGIC}`, false],
  ['more than one word', `0x${MAGIC}${'0'.repeat(56 + 64)}`, false],
  ['true', `0x${'1'.padStart(64, '0')}`, false],
  ['nothing', '0x', false],
])('a wallet that answers %s', async (_, word, isHeld) => {
  answer = result(word)
  expect(await wallets().holds(claim)).toBe(isHeld)
})

test('no call may compute without end', async () => {
  const calls: unknown[] = []
  answer = (request) => {
    if (request.method === 'eth_call') calls.push(...(request as unknown as { params: unknown[] }).params)
    return result('0x60')(request)
  }
  await wallets().holds(claim)
  await wallets().holds({ ...claim, signature: `0x${'00'.repeat(64)}${'6492'.repeat(16)}` })
  expect(calls).toMatchObject([{ gas: '0x1e8480' }, 'latest', { gas: '0x4c4b40' }, 'latest'])
})

test('beside one client whose signatures keep a slow node busy others get through', async () => {
  let isOver = false
  let asked = 0
  let most = 0
  const held: (() => void)[] = []
  const slow = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { id } = JSON.parse(body)
    const word = `0x${MAGIC}${'0'.repeat(56)}`
    const reply = () => response.end(JSON.stringify({ id, result: word }))
    if (isOver || !body.includes('6492'.repeat(16))) return reply()
    most = Math.max(most, ++asked)
    held.push(reply)
  })
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
  const signatures = createSmartWalletSignatures({
    rpc: createJsonRpc({
      rpcUrl: `http://127.0.0.1:${(slow.address() as AddressInfo).port}`,
      timeoutMs: PATIENT_MS,
    }),
    ...{ clock: createManualClock(0), counters: createRateCounters({ clock: createManualClock(0) }) },
  })
  const burning = {
    ...claim,
    signature: `0x${'00'.repeat(64)}${'6492'.repeat(16)}`,
    client: 'hostile',
  } as const
  const hostile = Array.from({ length: 25 }, () => signatures.holds(burning).catch(({ code }) => code))
  const honest = Array.from({ length: 40 }, (_, n) =>
    signatures.holds({ ...claim, client: `honest ${n % 10}` }),
  )
  expect(new Set(await Promise.all(honest))).toEqual(new Set([true]))
  expect(most).toBeLessThanOrEqual(2)
  isOver = true
  for (const reply of held) reply()
  const told = await Promise.all(hostile)
  expect(told.filter((code) => code === 'payments_unavailable')).toHaveLength(25 - 2 - 16)
  slow.closeAllConnections()
  slow.close()
})

test('who sends bad signatures only is told to wait; good ones do not count, nor a node that is down', async () => {
  const clock = createManualClock(0)
  const signatures = wallets(clock)
  const ask = (client: string) =>
    signatures.holds({ ...claim, client }).catch(({ code, retryAfterS }) => [code, retryAfterS])
  failing({ code: -32_005, message: 'rate limited' })
  for (let n = 0; n < 40; n++) expect(await ask('a')).toEqual(['payments_unavailable', 5])
  answer = result(`0x${MAGIC}${'0'.repeat(56)}`)
  for (let n = 0; n < 40; n++) expect(await ask('a')).toBe(true)
  failing({ code: 3, message: 'execution reverted' })
  for (let n = 0; n < 30; n++) expect(await ask('a')).toBe(false)
  expect(await ask('a')).toEqual(['rate_limited', 60])
  expect(await ask('b')).toBe(false)
  clock.advance(60_000)
  expect(await ask('a')).toBe(false)
})
