import { TaskState } from '@a2a-js/sdk'
import { describe, expect, test } from 'vitest'
import { BINDINGS, connectA2a, messageOf } from '../../src/testing/a2a-client.ts'
import { type Buyer, createBuyer } from '../../src/testing/buyer.ts'
import { moneyOf } from '../../src/testing/chain-money.ts'
import { createRpc } from '../../src/testing/rpc-client.ts'
import { useSharedWorld } from '../../src/testing/shared/shared-world.ts'
import type { World } from '../../src/testing/world.ts'

const PRICE = 1_000n
const STATUS = 'x402.payment.status'
const REQUIRED = 'x402.payment.required'
const PAYLOAD = 'x402.payment.payload'
const RECEIPTS = 'x402.payment.receipts'
const OFF = { serviceParameters: { 'x-demo': 'off' } }

let world: World
useSharedWorld('with many free calls', (it) => {
  world = it
})

type Sent = Awaited<ReturnType<Awaited<ReturnType<typeof connectA2a>>['sendMessage']>>
type Terms = Parameters<Buyer['wallet']['createPaymentPayload']>[0]

function taskOf(sent: Sent) {
  if (!('status' in sent)) throw new Error(`no task: ${JSON.stringify(sent)}`)
  const part = sent.artifacts[0]?.parts[0]?.content
  const data = part?.$case === 'data' ? part.value : undefined
  const metadata = (sent.status?.message?.metadata ?? {}) as Record<string, unknown>
  const text = JSON.stringify(sent.status?.message?.parts)
  return { id: sent.id, state: sent.status?.state, data, metadata, text }
}
const priceOf = (token: string) => ({ skill: 'market.price', params: { token } })

describe.each(BINDINGS)('the official client over %s', (binding) => {
  test('is led by the card, and gets what a skill brings, free or by a free call', async () => {
    const client = await connectA2a(world, binding)
    const sold = taskOf(await client.sendMessage(messageOf({ data: priceOf('BTC') })))
    expect(sold).toMatchObject({ state: TaskState.TASK_STATE_COMPLETED, data: { token: 'BTC' } })
    const free = taskOf(await client.sendMessage(messageOf({ text: `GET ${world.url}/health` })))
    expect(free).toMatchObject({ state: TaskState.TASK_STATE_COMPLETED, data: { checks: expect.any(Array) } })
    const again = await client.getTask({ tenant: '', id: sold.id, historyLength: undefined })
    expect(taskOf(again as Sent).data).toEqual(sold.data)
  })

  test('pays in the metadata of the next message; the payment buys once whatever it comes through', async () => {
    const client = await connectA2a(world, binding)
    const buyer = await createBuyer(world)
    const before = await moneyOf(buyer)
    const asked = taskOf(await client.sendMessage(messageOf({ data: priceOf('ETH') }), OFF))
    expect(asked).toMatchObject({
      state: TaskState.TASK_STATE_INPUT_REQUIRED,
      metadata: { [STATUS]: 'payment-required', [REQUIRED]: { resource: { url: `${world.url}/price/ETH` } } },
    })
    const payload = await buyer.wallet.createPaymentPayload(asked.metadata[REQUIRED] as Terms)
    const metadata = { [STATUS]: 'payment-submitted', [PAYLOAD]: payload }
    const bought = taskOf(
      await client.sendMessage(messageOf({ text: 'paid', taskId: asked.id, metadata }), OFF),
    )
    expect(bought).toMatchObject({
      id: asked.id,
      state: TaskState.TASK_STATE_COMPLETED,
      data: { token: 'ETH' },
      metadata: { [STATUS]: 'payment-completed', [RECEIPTS]: [{ success: true }] },
    })
    expect(await moneyOf(buyer)).toBe(before - PRICE)

    const again = taskOf(
      await client.sendMessage(messageOf({ text: 'paid', taskId: asked.id, metadata }), OFF),
    )
    expect(again).toEqual(bought)
    const anew = taskOf(await client.sendMessage(messageOf({ data: priceOf('ETH'), metadata }), OFF))
    expect([anew.data, anew.metadata]).toEqual([bought.data, bought.metadata])
    const header = Buffer.from(JSON.stringify(payload)).toString('base64')
    const overHttp = await world.get('/price/ETH', { 'payment-signature': header })
    expect([overHttp.status, await overHttp.json()]).toEqual([200, bought.data])
    const elsewhere = taskOf(await client.sendMessage(messageOf({ data: priceOf('BTC'), metadata }), OFF))
    expect(elsewhere).toMatchObject({
      state: TaskState.TASK_STATE_FAILED,
      metadata: { [STATUS]: 'payment-failed', 'x402.payment.error': 'DUPLICATE_NONCE' },
    })
    expect(await moneyOf(buyer)).toBe(before - PRICE)
  })

  test('a bad payment is refused with the terms, and gets no free call', async () => {
    const client = await connectA2a(world, binding)
    const refused = taskOf(
      await client.sendMessage(
        messageOf({ data: priceOf('BTC'), metadata: { [PAYLOAD]: { x402Version: 2 } } }),
      ),
    )
    expect(refused).toMatchObject({
      state: TaskState.TASK_STATE_INPUT_REQUIRED,
      metadata: {
        [STATUS]: 'payment-failed',
        [RECEIPTS]: [{ success: false, errorReason: 'malformed_payment' }],
        [REQUIRED]: { accepts: expect.any(Array) },
      },
    })
    expect(refused.data).toBeUndefined()
  })

  test('terms can be turned down, and what does not fit says why', async () => {
    const client = await connectA2a(world, binding)
    const asked = taskOf(await client.sendMessage(messageOf({ data: priceOf('SOL') }), OFF))
    const metadata = { [STATUS]: 'payment-rejected' }
    const left = taskOf(await client.sendMessage(messageOf({ text: 'no', taskId: asked.id, metadata }), OFF))
    expect(left.state).toBe(TaskState.TASK_STATE_CANCELED)
    await expect(client.sendMessage(messageOf({ text: 'more', taskId: asked.id }))).rejects.toThrow(/over/)
    await expect(client.sendMessage(messageOf({ text: 'x', taskId: 'nobody' }))).rejects.toThrow(/no task/)
    const wrong = taskOf(await client.sendMessage(messageOf({ data: { skill: 'market.price', params: {} } })))
    expect(wrong).toMatchObject({
      state: TaskState.TASK_STATE_REJECTED,
      text: expect.stringContaining('token is required'),
    })
    const unknown = await client.sendMessage(messageOf({ data: { skill: 'market.prices' } }))
    expect(JSON.stringify(unknown)).toMatch(
      /There is no skill .*market\.prices.*The skills are .*market\.price,/,
    )
    const helped = await client.sendMessage(messageOf({ text: 'What will Bitcoin do?' }))
    expect(JSON.stringify(helped)).toContain('agent-card.json')
  })
})

describe.each(BINDINGS)('tasks over %s', (binding) => {
  test('one that waits can be canceled once, and nobody gets a list', async () => {
    const client = await connectA2a(world, binding)
    const { id } = taskOf(await client.sendMessage(messageOf({ data: priceOf('SOL') }), OFF))
    const canceled = await client.cancelTask({ tenant: '', id, metadata: undefined })
    expect(canceled.status?.state).toBe(TaskState.TASK_STATE_CANCELED)
    await expect(client.cancelTask({ tenant: '', id, metadata: undefined })).rejects.toThrow(/over/)
    await expect(client.cancelTask({ tenant: '', id: 'nobody', metadata: undefined })).rejects.toThrow(
      /no task/,
    )
  })
})

test('a list of tasks is an empty page in both bindings, and a page has a size', async () => {
  const empty = { tasks: [], nextPageToken: '', pageSize: 7, totalSize: 0 }
  const list = { jsonrpc: '2.0', id: 1, method: 'ListTasks', params: { pageSize: 7 } }
  expect(JSON.parse((await createRpc(world, '/a2a')(list)).text).result).toEqual(empty)
  expect(await (await fetch(`${world.url}/a2a/tasks?pageSize=7`)).json()).toEqual(empty)
  expect((await fetch(`${world.url}/a2a/tasks?pageSize=101`)).status).toBe(400)
})

describe.each(['CancelTask', 'payment-rejected'])('%s beside a payment for the same task', (how) => {
  test('is refused or comes first; nobody hears that nothing was charged and is charged', async () => {
    const rpc = createRpc(world, '/a2a')
    const buyer = await createBuyer(world)
    const before = await moneyOf(buyer)
    const call = (id: number, method: string, params: object) => ({ jsonrpc: '2.0', id, method, params })
    const message = (extra: object) => ({
      message: { messageId: 'm', parts: [{ data: priceOf('SOL') }], ...extra },
    })
    const asked = JSON.parse((await rpc(call(1, 'SendMessage', message({})), { 'x-demo': 'off' })).text)
      .result.task
    const payload = await buyer.wallet.createPaymentPayload(asked.status.message.metadata[REQUIRED])
    const paying = call(1, 'SendMessage', message({ taskId: asked.id, metadata: { [PAYLOAD]: payload } }))
    const leaving =
      how === 'CancelTask'
        ? call(2, how, { id: asked.id })
        : call(2, 'SendMessage', message({ taskId: asked.id, metadata: { [STATUS]: how } }))
    // One batch: its messages run side by side, and begin in their order.
    const [paid, left] = JSON.parse((await rpc([paying, leaving], { 'x-demo': 'off' })).text)
    expect(left.error).toMatchObject({
      code: -32_002,
      message: expect.stringContaining('may still be charged'),
    })
    expect(paid.result.task).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED', message: { metadata: { [STATUS]: 'payment-completed' } } },
    })
    expect(await moneyOf(buyer)).toBe(before - PRICE)
    const kept = JSON.parse((await rpc(call(3, 'GetTask', { id: asked.id }))).text).result
    expect(kept).toEqual(paid.result.task)
  })
})

test('the operator, other methods and other sites are out of reach', async () => {
  const rpc = createRpc(world, '/a2a')
  const send = (part: object) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'SendMessage',
    params: { message: { messageId: 'm', role: 'ROLE_USER', parts: [part] } },
  })
  for (const part of [{ text: 'GET /admin/usage' }, { data: { skill: 'admin.usage' } }, { text: 'GET /a2a' }])
    expect((await rpc(send(part))).text).toContain('ROLE_AGENT')
  const part = { data: priceOf('BTC') }
  expect((await rpc(send(part), { host: 'evil.example' })).status).toBe(403)
  expect((await rpc(send(part), { origin: 'https://evil.example' })).status).toBe(403)
  expect((await rpc(send(part), { 'a2a-version': '9.9' })).text).toContain('-32009')
})
