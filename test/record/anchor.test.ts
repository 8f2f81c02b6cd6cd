import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { expect, onTestFinished, test } from 'vitest'
import { silentLog } from '../../src/core/log.ts'
import { secret } from '../../src/core/secret.ts'
import { anchorData, createEvmAnchor } from '../../src/record/anchor/evm-anchor.ts'
import { startEvmChain } from '../../src/sandbox/chains/evm/chain.ts'
import { createRecordWorld } from '../../src/testing/record/record-world.ts'
import { askOf } from '../../src/testing/record/replies.ts'
import { serveRecord, verifyRecord } from '../../src/testing/record/verify-command.ts'

function freshDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'tollbook-anchor-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
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

  const url = await serveRecord(askOf(world))
  const dir = freshDir()
  const [exported, saved] = [join(dir, 'record.ndjson'), join(dir, 'head.json')]
  const now = () => ['--at', new Date(world.clock.now()).toISOString()]
  const byNode = ['--rpc', chain.rpcUrl]
  const online = await verifyRecord(url, ...now(), ...byNode, '--export', exported, '--save-head', saved)
  expect(online.text).toMatch(/^a record of the SANDBOX: simulated windows\n.* 1 anchor,/)
  expect(online.text).toContain(
    `proven: 1 anchor on the chain, as the node at ${new URL(chain.rpcUrl).host} says`,
  )
  expect(online.text).toContain('note: that it is the record which others saw: no head that you saved')
  expect(online).toMatchObject({ code: 0, text: expect.stringMatching(/\ntrue: a record of the SANDBOX/) })
  expect(JSON.parse(readFileSync(saved, 'utf8')).tree_size).toBe(world.rows.leaves.length)
  expect(await verifyRecord(url)).toMatchObject({
    code: 1,
    text: expect.stringContaining('the record ends at'),
  })

  await world.windows(3, 1_767_614_400 + 12 * 300)
  expect(await verifyRecord(url, ...now(), '--head', saved)).toMatchObject({
    code: 3,
    text: expect.stringContaining('not checked: its 1 anchor: name a node of their chain with --rpc'),
  })
  expect(await verifyRecord(url, ...now(), '--head', saved, ...byNode)).toMatchObject({ code: 0 })
  expect(await verifyRecord(exported, '--head', saved, ...byNode)).toMatchObject({
    code: 3,
    text: expect.stringContaining('not checked: whether it goes on until now'),
  })

  if (anchor) anchor.network = 'eip155:1'
  expect(await verifyRecord(url, ...now(), ...byNode)).toMatchObject({
    code: 3,
    text: expect.stringContaining(
      `${chain.rpcUrl} is a node of eip155:8453, and there are anchors on eip155:1`,
    ),
  })
  if (anchor) Object.assign(anchor, { network: 'eip155:8453', tx: `0x${'0'.repeat(64)}` })
  const moved = await verifyRecord(url, ...now(), ...byNode)
  expect(moved).toMatchObject({ code: 1, text: expect.stringContaining('does not hold the root') })
  expect(moved.text).not.toContain('proven:')
})

test('the call data are the magic, the size and the root', () => {
  expect(anchorData('ab'.repeat(32), 258)).toBe(`0x746f6c6c626f6f6b0000000000000102${'ab'.repeat(32)}`)
})
