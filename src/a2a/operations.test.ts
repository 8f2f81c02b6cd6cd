import { beforeEach, expect, test } from 'vitest'
import { createManualClock } from '../core/time/manual-clock.ts'
import type { Called, CallProduct } from '../http/sell/call-product.ts'
import { inProgress, pending, unavailable } from '../payments/gate/failures.ts'
import { testSite } from '../testing/discovery/sample-site.ts'
import { createOperations, type Operations } from './operations.ts'
import type { Task } from './task.ts'
import { createTasks, type KeptTask } from './tasks.ts'

const CALLER = { client: 'c', requestId: 'r', path: '/a2a', token: undefined, askPriceOnly: false }
const STATUS = 'x402.payment.status'
const CHARGE_DENIED = /nothing was charged/i

/** What the gate says next, in the order in which it is asked. */
let says: (() => Promise<Called>)[]
let asked: { address: string; payment: string | undefined }[]
let operations: Operations
beforeEach(() => {
  says = []
  asked = []
  const callProduct: CallProduct = async ({ address, payment }) => {
    asked.push({ address: address(), payment: payment?.text })
    const next = says.shift()
    if (!next) throw new Error('the gate was asked once too often')
    return next()
  }
  const clock = createManualClock(0)
  let ids = 0
  const newId = () => `id-${++ids}`
  operations = createOperations({ site: testSite(), clock, tasks: createTasks(clock), newId, callProduct })
})

const refused = async () =>
  ({ kind: 'refused', challenge: { body: '{"error":"payment_required"}' } }) as Called
const badPayment = async () => ({ kind: 'refused', challenge: { body: '{"error":"expired"}' } }) as Called
const row = {
  state: 'settled',
  transaction: '0x1',
  payer: '0x2',
  amount: '1',
  network: 'eip155:8453',
  reply: {},
}
const sold = async () =>
  ({ kind: 'sold', version: 2, row, reply: { text: '{"level":1}' } }) as unknown as Called
const undecided = () => Promise.reject(pending())

const run = async (name: string, params: unknown) => (await operations.get(name)?.(params, CALLER)) as never
type Extra = { taskId?: string; payment?: string; status?: string }
async function send({ taskId, payment, status }: Extra = {}): Promise<Task> {
  const parts = taskId ? [{ text: 'go on' }] : [{ data: { skill: 'test.harbour', params: { name: 'hull' } } }]
  const metadata = {
    ...(payment && { 'x402.payment.payload': { payment } }),
    ...(status && { [STATUS]: status }),
  }
  const { task } = (await run('SendMessage', { message: { messageId: 'm', taskId, parts, metadata } })) as {
    task: Task
  }
  return task
}
const get = (id: string): Promise<Task> => run('GetTask', { id })
const cancel = (id: string): Promise<Task> => run('CancelTask', { id })
const textOf = ({ status }: Task) => JSON.stringify(status.message.parts)
const stateOf = ({ status }: Task) => [status.state, status.message.metadata?.[STATUS]]
const open = () => {
  says.push(refused)
  return send()
}
const reject = (taskId: string) => send({ taskId, status: 'payment-rejected' })
const LEAVING: [string, (id: string) => Promise<Task>][] = [
  ['CancelTask', cancel],
  ['turning the terms down', reject],
]
const NOT_CANCELABLE = {
  reason: 'TASK_NOT_CANCELABLE',
  message: expect.stringContaining('may still be charged'),
}

test.each(LEAVING)('%s before any payment: nothing was charged', async (_, leave) => {
  const { id } = await open()
  const left = await leave(id)
  expect([left.status.state, textOf(left)]).toEqual([
    'TASK_STATE_CANCELED',
    expect.stringMatching(CHARGE_DENIED),
  ])
})

test.each(LEAVING)(
  '%s while a payment is under way is refused, and the payment is delivered',
  async (_, leave) => {
    const { id } = await open()
    const gate = Promise.withResolvers<Called>()
    says.push(() => gate.promise)
    const paying = send({ taskId: id, payment: 'a' })
    await expect(leave(id)).rejects.toMatchObject(NOT_CANCELABLE)
    const meanwhile = await get(id)
    expect(stateOf(meanwhile)).toEqual(['TASK_STATE_WORKING', 'payment-submitted'])
    expect(textOf(meanwhile)).not.toMatch(CHARGE_DENIED)
    gate.resolve(await sold())
    expect(stateOf(await paying)).toEqual(['TASK_STATE_COMPLETED', 'payment-completed'])
    expect(await get(id)).toEqual(await paying)
  },
)

test.each(LEAVING)(
  '%s after a payment that the chain has not decided is refused; it brings its reply',
  async (_, leave) => {
    says.push(undecided)
    const { id } = await send({ payment: 'a' })
    await expect(leave(id)).rejects.toMatchObject(NOT_CANCELABLE)
    expect(stateOf(await send({ taskId: id }))).toEqual(['TASK_STATE_INPUT_REQUIRED', 'payment-submitted'])
    says.push(sold)
    expect(stateOf(await send({ taskId: id, payment: 'a' }))).toEqual([
      'TASK_STATE_COMPLETED',
      'payment-completed',
    ])
    expect(asked.map(({ address }) => address)).toEqual(['/harbours/hull', '/harbours/hull'])
  },
)

test('a second payment that is refused does not hide a first that may be charged', async () => {
  says.push(undecided, badPayment)
  const { id } = await send({ payment: 'a' })
  expect(stateOf(await send({ taskId: id, payment: 'b' }))).toEqual([
    'TASK_STATE_INPUT_REQUIRED',
    'payment-failed',
  ])
  expect(stateOf(await get(id))).toEqual(['TASK_STATE_INPUT_REQUIRED', 'payment-submitted'])
  await expect(cancel(id)).rejects.toMatchObject(NOT_CANCELABLE)
  says.push(badPayment)
  await send({ taskId: id, payment: 'a' })
  const left = await cancel(id)
  expect(left.status.state).toBe('TASK_STATE_CANCELED')
  expect(textOf(left)).not.toMatch(CHARGE_DENIED)
})

test('a payment that something of ours broke on may be charged: no new terms before it is sent again', async () => {
  const { id } = await open()
  says.push(() => Promise.reject(new Error('disk full')))
  const broken = await send({ taskId: id, payment: 'a' })
  expect(stateOf(broken)).toEqual(['TASK_STATE_INPUT_REQUIRED', 'payment-submitted'])
  expect(textOf(broken)).toContain('with the same payment again; do not sign a new one')
  expect(stateOf(await send({ taskId: id }))).toEqual(['TASK_STATE_INPUT_REQUIRED', 'payment-submitted'])
  await expect(cancel(id)).rejects.toMatchObject(NOT_CANCELABLE)
  says.push(sold)
  expect(stateOf(await send({ taskId: id, payment: 'a' }))).toEqual([
    'TASK_STATE_COMPLETED',
    'payment-completed',
  ])
})

test('a task that is gone is asked for with the payment that was sent', async () => {
  const wayOut = 'send the whole message again, with the payment that you sent, if any'
  await expect(get('gone')).rejects.toThrow(wayOut)
  await expect(send({ taskId: 'gone', payment: 'a' })).rejects.toThrow(wayOut)
})

test('of two payments at once the slower one does not reopen what the faster one brought', async () => {
  const { id } = await open()
  const slow = Promise.withResolvers<Called>()
  says.push(() => slow.promise, sold)
  const slower = send({ taskId: id, payment: 'a' })
  await send({ taskId: id, payment: 'b' })
  slow.resolve(await badPayment())
  expect(stateOf(await slower)).toEqual(['TASK_STATE_INPUT_REQUIRED', 'payment-failed'])
  expect(stateOf(await get(id))).toEqual(['TASK_STATE_COMPLETED', 'payment-completed'])
})

test.each<[string, () => Promise<Called>]>([
  ['is canceled', refused],
  ['failed', () => Promise.reject(new Error('broken'))],
])('a payment for a task that %s goes to the gate like any other', async (how, first) => {
  says.push(first)
  const { id } = how === 'failed' ? await send({ payment: 'a' }) : await send().then(({ id }) => cancel(id))
  says.push(
    () => Promise.reject(inProgress()),
    () => Promise.reject(unavailable('no facilitator')),
    sold,
  )
  for (const state of ['INPUT_REQUIRED', 'INPUT_REQUIRED', 'COMPLETED'])
    expect((await send({ taskId: id, payment: 'a' })).status.state).toBe(`TASK_STATE_${state}`)
  expect(asked).toHaveLength(4)
  await send({ taskId: id, payment: 'a' })
  expect(asked).toHaveLength(4)
})

test('no more is kept of what was asked for than its address', async () => {
  const filler = Array.from({ length: 10_000 }, (_, n) => [n])
  const parts = [{ data: { skill: 'test.harbour', params: { name: 'hull' }, filler } }]
  const message = { messageId: 'm', parts, metadata: { filler } }
  const kept: KeptTask[] = []
  const clock = createManualClock(0)
  const tasks = { find: () => undefined, keep: (task: KeptTask) => void kept.push(task) }
  const ports = { site: testSite(), clock, tasks, newId: () => 'id', callProduct: refused }
  await createOperations(ports).get('SendMessage')?.({ message }, CALLER)
  expect(kept).toMatchObject([{ asked: { address: '/harbours/hull' } }])
  expect(JSON.stringify({ ...kept[0], asked: kept[0]?.asked?.address }).length).toBeLessThan(1_000)
})

test.each<[string, object, string]>([
  ['GetTask', {}, 'id: must be text'],
  ['GetTask', { id: '' }, 'id: must not be empty'],
  ['CancelTask', { id: 'x'.repeat(201) }, 'id: must have at most 200 characters'],
  ...[-1, 0, 1.5, 101, 'many'].map((pageSize): [string, object, string] => [
    'ListTasks',
    { pageSize },
    'pageSize: must be a whole number from 1 to 100',
  ]),
])('%s with %j is told what is wrong', async (name, params, text) => {
  await expect(run(name, params)).rejects.toThrow(text)
})
