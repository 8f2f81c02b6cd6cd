import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { expect, onTestFinished, test } from 'vitest'
import { run } from '../../src/cli/verify-record.ts'
import { silentLog } from '../../src/core/log.ts'
import { secret } from '../../src/core/secret.ts'
import { recordCalibration } from '../../src/products/record/calibration.ts'
import { record } from '../../src/products/record/record.ts'
import { anchorData, createEvmAnchor } from '../../src/record/anchor/evm-anchor.ts'
import { startEvmChain } from '../../src/sandbox/chains/evm/chain.ts'
import { createRecordWorld } from '../../src/testing/record/record-world.ts'
import { type Ask, askOf } from '../../src/testing/record/replies.ts'

function freshDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'tollbook-anchor-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

/** The two addresses that a check of the record asks. */
async function serve(ask: Ask): Promise<string> {
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const params = Object.fromEntries([...searchParams].map(([name, value]) => [name, Number(value)]))
    const reply = await ask(pathname === record.path ? record : recordCalibration, params)
    response.end(JSON.stringify(reply))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** What the command prints and how it exits. */
async function verifyRecord(...args: string[]): Promise<{ text: string; code: unknown }> {
  const { exitCode: codeBefore } = process
  const { write } = process.stdout
  let text = ''
  process.stdout.write = (chunk) => {
    text += chunk
    return true
  }
  try {
    await run(args)
    return { text, code: process.exitCode }
  } finally {
    process.stdout.write = write
    process.exitCode = codeBefore
  }
}

test('a root is written into a transaction on a real chain, and verify-record finds it there', async () => {
  const chain = await startEvmChain({ dataDir: freshDir(), log: silentLog })
  onTestFinished(() => chain.close())
  const key = generatePrivateKey()
  await chain.fundEth(privateKeyToAddress(key), 10n ** 17n)
  const world = createRecordWorld({ anchor: createEvmAnchor({ rpcUrl: chain.rpcUrl, key: secret(key) }) })
  await world.keeper.start()
  await world.windows(12)
  const [anchor] = world.rows.anchors
  expect(world.rows.anchors).toMatchObject([
    { network: 'eip155:8453', tx: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
  ])

  const url = await serve(askOf(world))
  const dir = freshDir()
  const [exported, saved] = [join(dir, 'record.ndjson'), join(dir, 'head.json')]
  const at = ['--at', new Date(world.clock.now()).toISOString()]
  const online = await verifyRecord(
    url,
    ...at,
    '--rpc',
    chain.rpcUrl,
    '--export',
    exported,
    '--save-head',
    saved,
  )
  expect(online).toMatchObject({
    code: 0,
    text: expect.stringMatching(/1 anchors.*\n[\s\S]*true: nothing was changed/),
  })
  expect(JSON.parse(readFileSync(saved, 'utf8')).tree_size).toBe(world.rows.leaves.length)
  expect(await verifyRecord(url)).toMatchObject({
    code: 1,
    text: expect.stringContaining('the record ends at'),
  })

  await world.windows(3, 1_767_614_400 + 12 * 300)
  expect(
    await verifyRecord(url, '--at', new Date(world.clock.now()).toISOString(), '--head', saved),
  ).toMatchObject({ code: 0 })
  expect(await verifyRecord(exported, '--head', saved, '--rpc', chain.rpcUrl)).toMatchObject({ code: 0 })

  if (anchor) anchor.tx = `0x${'0'.repeat(64)}`
  const moved = await verifyRecord(
    url,
    '--at',
    new Date(world.clock.now()).toISOString(),
    '--rpc',
    chain.rpcUrl,
  )
  expect(moved).toMatchObject({ code: 1, text: expect.stringContaining('does not hold the root') })
})

test('the call data are the magic, the size and the root', () => {
  expect(anchorData('ab'.repeat(32), 258)).toBe(`0x746f6c6c626f6f6b0000000000000102${'ab'.repeat(32)}`)
})
