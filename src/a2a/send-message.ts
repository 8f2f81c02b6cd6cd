import type { Site } from '../catalog/site.ts'
import type { Clock } from '../core/time/clock.ts'
import type { CallProduct, ProductCall } from '../http/sell/call-product.ts'
import { findJsonPayment } from '../payments/read/json-payment.ts'
import { A2aError } from './a2a-error.ts'
import { howToAsk } from './describe.ts'
import { type Asking, createFindSkill } from './find-skill.ts'
import type { Message } from './message.ts'
import {
  type AgentMessage,
  failureOf,
  isOpen,
  type Outcome,
  outcomeOf,
  type Task,
  toTask,
  turnedDown,
} from './task.ts'
import type { KeptTask, Tasks } from './tasks.ts'

export type A2aPorts = {
  site: Site
  clock: Clock
  callProduct: CallProduct
  tasks: Tasks
  newId: () => string
}
export type A2aCaller = Pick<ProductCall, 'client' | 'requestId' | 'token' | 'askPriceOnly' | 'path'>
export type Sent = { task: Task } | { message: AgentMessage }
export type SendMessage = (message: Message, caller: A2aCaller) => Promise<Sent>

const PAYLOAD = 'x402.payment.payload'
const STATUS = 'x402.payment.status'

/** A message names a skill, or goes on with a task that waits for its payment. */
export function createSendMessage(ports: A2aPorts): SendMessage {
  const { site, clock, tasks, newId } = ports
  const findSkill = createFindSkill(site)
  const help = howToAsk(site)
  const finish = (
    asking: Asking,
    ids: { id: string; contextId: string },
    outcome: Outcome,
    client: string,
  ) => {
    const timestamp = new Date(clock.now()).toISOString()
    const task = toTask({ ...ids, messageId: newId(), timestamp }, outcome)
    tasks.keep({ task, asking, client })
    return { task }
  }
  return async (message, caller) => {
    const known = message.taskId === undefined ? undefined : findOpen(tasks, message.taskId, message)
    if (known && !isOpen(known.task)) return { task: known.task }
    const asking = known?.asking ?? findSkill(message)
    const contextId = known?.task.contextId ?? message.contextId ?? newId()
    if (!asking)
      return { message: { messageId: newId(), contextId, role: 'ROLE_AGENT', parts: [{ text: help }] } }
    const ids = { id: known?.task.id ?? newId(), contextId }
    const isTurnedDown = message.metadata?.[STATUS] === 'payment-rejected'
    const outcome = isTurnedDown ? turnedDown : await bring(ports.callProduct, asking, message, caller)
    return finish(asking, ids, outcome, caller.client)
  }
}

/** A payment for a task that is done already is answered with what it brought: its sender has lost the reply. */
function findOpen(tasks: Tasks, id: string, { metadata }: Message): KeptTask {
  const known = tasks.find(id)
  if (!known) throw new A2aError('TASK_NOT_FOUND', 'no task has this id; send the whole message again')
  if (!isOpen(known.task) && metadata?.[PAYLOAD] === undefined)
    throw new A2aError('UNSUPPORTED_OPERATION', 'this task is over; send a message without its id')
  return known
}

async function bring(
  callProduct: CallProduct,
  { product, address }: Asking,
  { metadata }: Message,
  caller: A2aCaller,
): Promise<Outcome> {
  const payment = findJsonPayment(metadata?.[PAYLOAD])
  const isPaying = payment !== undefined
  try {
    const called = await callProduct({ ...caller, product, address, payment })
    return outcomeOf(called, { productId: product.id, isPaying })
  } catch (error) {
    return failureOf(error, caller.requestId, isPaying)
  }
}
