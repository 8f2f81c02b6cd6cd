import { createHash } from 'node:crypto'
import type { Site } from '../catalog/site.ts'
import type { Clock } from '../core/time/clock.ts'
import type { CallProduct, ProductCall } from '../http/sell/call-product.ts'
import { findJsonPayment } from '../payments/read/json-payment.ts'
import { A2aError, noSuchTask } from './a2a-error.ts'
import { checkCancelable, turnedDown } from './cancel-task.ts'
import { howToAsk, noSuchSkill } from './describe.ts'
import { type Asking, createFindSkill } from './find-skill.ts'
import { createKeepOutcome, type KeepOutcome, type TaskIds } from './keep-outcome.ts'
import type { Message } from './message.ts'
import { type AgentMessage, failureOf, isDone, isOpen, type Outcome, outcomeOf, type Task } from './task.ts'
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
  const { site, tasks, newId } = ports
  const findSkill = createFindSkill(site)
  const help = howToAsk(site)
  const keepOutcome = createKeepOutcome(ports)
  const start = async (message: Message, caller: A2aCaller): Promise<Sent> => {
    const contextId = message.contextId ?? newId()
    const asking = findSkill(message)
    if (!asking || 'unknown' in asking) {
      const text = asking ? noSuchSkill(site, asking) : help
      return { message: { messageId: newId(), contextId, role: 'ROLE_AGENT', parts: [{ text }] } }
    }
    const ids = { id: newId(), contextId, client: caller.client }
    if (isTurnedDown(message)) return { task: keepOutcome(ids, turnedDown({ hadPayment: false })) }
    return { task: await bring(ports.callProduct, keepOutcome, { asking, ids, message, caller }) }
  }
  const goOn = async (known: KeptTask, message: Message, caller: A2aCaller): Promise<Sent> => {
    const { task, asked, undecided } = known
    const ids = { id: task.id, contextId: task.contextId, client: caller.client }
    if (isTurnedDown(message)) {
      checkCancelable(known)
      return { task: keepOutcome(ids, turnedDown(known)) }
    }
    const isPaying = message.metadata?.[PAYLOAD] !== undefined
    // Its sender has lost the reply, or must not pay for it again.
    if (isDone(task) && isPaying) return { task }
    if (!asked || (!isPaying && !isOpen(task) && undecided.length === 0))
      throw new A2aError('UNSUPPORTED_OPERATION', 'this task is over; send a message without its id')
    // Terms would lead to a second payment while the first may still be charged.
    if (!isPaying && undecided.length > 0) return { task }
    const asking = { product: asked.product, address: () => asked.address }
    return { task: await bring(ports.callProduct, keepOutcome, { asking, ids, message, caller }) }
  }
  return async (message, caller) => {
    if (message.taskId === undefined) return start(message, caller)
    const known = tasks.find(message.taskId)
    if (!known) throw noSuchTask()
    return goOn(known, message, caller)
  }
}

const isTurnedDown = ({ metadata }: Message) => metadata?.[STATUS] === 'payment-rejected'

type Bringing = { asking: Asking; ids: TaskIds; message: Message; caller: A2aCaller }

async function bring(
  callProduct: CallProduct,
  keepOutcome: KeepOutcome,
  { asking: { product, address }, ids, message: { metadata }, caller }: Bringing,
): Promise<Task> {
  const payment = findJsonPayment(metadata?.[PAYLOAD])
  const digest = payment && createHash('sha256').update(payment.text).digest('base64')
  const read = readOnce(address)
  if (digest !== undefined) keepOutcome.begin(ids, digest)
  const isPaying = payment !== undefined
  let outcome: Outcome
  try {
    const called = await callProduct({ ...caller, product, address: read.address, payment })
    outcome = outcomeOf(called, { productId: product.id, isPaying })
  } catch (error) {
    outcome = failureOf(error, caller.requestId, isPaying)
  }
  const asked = read.text === undefined ? undefined : { product, address: read.text }
  return keepOutcome(ids, outcome, { asked, digest })
}

/** Only the text is kept. What is wrong with it is thrown inside the call, where it is counted and logged. */
function readOnce(address: () => string): { text?: string; address: () => string } {
  try {
    const text = address()
    return { text, address: () => text }
  } catch (error) {
    return {
      address: () => {
        throw error
      },
    }
  }
}
