import { z } from 'zod'
import { defineProtocol, type ProtocolCall, type ProtocolReply } from '../catalog/endpoints/protocol.ts'
import type { Group } from '../catalog/group.ts'
import { MESSAGE_LIMIT } from '../http/json-rpc/admit-messages.ts'
import { ID_CHARS } from '../http/json-rpc/read-batch.ts'
import { Described } from './describe.ts'
import { Id, MAX_PARTS } from './message.ts'
import { TASK_STATES } from './task.ts'

type Answer = (call: ProtocolCall) => Promise<ProtocolReply>
export type A2aServices = {
  describe: () => ProtocolReply
  rpc: Answer
  send: Answer
  task: Answer
  tasks: Answer
  cancel: Answer
}

const PATH = '/a2a'
const SEND_PATH = '/a2a/message:send'

const Nothing = z.object({})
const Sending = z.looseObject({
  message: z.looseObject({
    messageId: Id,
    taskId: Id.optional().describe('Of the task that waits for its payment'),
    role: z.literal('ROLE_USER').optional(),
    parts: z.array(z.looseObject({})).max(MAX_PARTS).optional(),
    metadata: z.record(z.string(), z.unknown()).optional(),
  }),
})
const Task = z.looseObject({
  id: z.uuid().describe('Id of the task'),
  contextId: Id,
  status: z
    .looseObject({ state: z.enum(TASK_STATES.map((state) => `TASK_STATE_${state}` as const)) })
    .describe('How far the task is'),
  artifacts: z.array(z.looseObject({})).length(1).optional(),
})
const Sent = z.looseObject({ task: Task.optional(), message: z.looseObject({}).optional() })

const sending = {
  message: {
    messageId: 'm-1',
    role: 'ROLE_USER',
    parts: [{ data: { skill: 'market.price', params: { token: 'BTC' } } }],
  },
}
const TASK_ID_FROM =
  'Put the id of your task in place of `TASK_ID`: the reply to the message that began it has it.'
const TASK_ID = '6f1c2d3e-0000-4000-8000-000000000000'

const describe = defineProtocol({
  id: 'a2a.describe',
  method: 'GET',
  path: PATH,
  summary: 'What answers A2A messages here, for people',
  description: 'Version, bindings and agent card, and what a message must hold.',
  params: Nothing,
  sample: {},
  answer: {
    schema: Described,
  },
  handle: (services: A2aServices) => services.describe(),
})

const rpc = defineProtocol({
  id: 'a2a.rpc',
  method: 'POST',
  path: PATH,
  limit: MESSAGE_LIMIT,
  summary: 'A2A 1.0 messages over JSON-RPC',
  description:
    'SendMessage, GetTask, ListTasks and CancelTask of the Agent2Agent protocol, alone or up to 20 in a batch. A data part names a skill of the agent card and its params. A task that must be paid for waits as input-required, with x402 terms in the metadata of its status message; the payment goes into the metadata of the next message.',
  params: Nothing,
  sample: {},
  message: {
    schema: z.looseObject({
      jsonrpc: z.literal('2.0'),
      id: z
        .union([z.string().max(ID_CHARS), z.number()])
        .optional()
        .describe('Absent from a notification'),
      method: z.enum(['SendMessage', 'GetTask', 'ListTasks', 'CancelTask']),
      params: z
        .looseObject({
          message: z
            .looseObject({ messageId: Id })
            .optional()
            .describe(`For SendMessage; as in the body of ${SEND_PATH}`),
          id: Id.optional().describe('For GetTask and CancelTask: id of the task'),
        })
        .optional(),
    }),
    example: { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: sending },
  },
  answer: {
    schema: z.looseObject({ jsonrpc: z.literal('2.0') }),
  },
  handle: (services: A2aServices, call) => services.rpc(call),
})

const send = defineProtocol({
  id: 'a2a.send',
  method: 'POST',
  path: SEND_PATH,
  limit: MESSAGE_LIMIT,
  summary: 'A2A 1.0 messages over plain HTTP',
  description: 'The same as SendMessage, in the HTTP+JSON binding of the Agent2Agent protocol.',
  params: Nothing,
  sample: {},
  message: { schema: Sending, example: sending },
  answer: { schema: Sent },
  handle: (services: A2aServices, call) => services.send(call),
})

const getTask = defineProtocol({
  id: 'a2a.task',
  method: 'GET',
  path: '/a2a/tasks/{id}',
  limit: MESSAGE_LIMIT,
  summary: 'One A2A task by its id',
  description:
    'The task as it stands now. Tasks are kept for an hour at most, and only their ids lead to them.',
  params: z.object({ id: z.string().describe('Id of the task') }),
  sample: { id: TASK_ID },
  placeholders: {
    values: { id: 'TASK_ID' },
    from: TASK_ID_FROM,
  },
  answer: { schema: Task },
  handle: (services: A2aServices, call) => services.task(call),
})

const listTasks = defineProtocol({
  id: 'a2a.tasks',
  method: 'GET',
  path: '/a2a/tasks',
  limit: MESSAGE_LIMIT,
  summary: 'A2A tasks, of which nobody sees a list',
  description:
    'Always an empty page: nobody signs in here, so no task is anybody’s to list. Keep the id of a task; only it leads there.',
  params: Nothing,
  sample: {},
  answer: {
    schema: z.looseObject({
      tasks: z.array(z.looseObject({})).max(0).describe('Always empty'),
      nextPageToken: z.literal('').describe('Empty: there is no other page'),
      pageSize: z.int().min(1).max(100).describe('As asked for; 50 where nothing was'),
      totalSize: z.literal(0).describe('Tasks of all pages'),
    }),
  },
  handle: (services: A2aServices, call) => services.tasks(call),
})

const cancelTask = defineProtocol({
  id: 'a2a.cancel',
  method: 'POST',
  path: '/a2a/tasks/{id}',
  limit: MESSAGE_LIMIT,
  summary: 'Cancels an A2A task that waits for its payment',
  description:
    'The same as CancelTask, in the HTTP+JSON binding. What is over, or has a payment that may still be charged, cannot be canceled: 400 says which.',
  params: z.object({ id: z.string().describe('Id of the task, and :cancel behind it') }),
  sample: { id: `${TASK_ID}:cancel` },
  placeholders: {
    values: { id: 'TASK_ID:cancel' },
    from: TASK_ID_FROM,
  },
  message: { schema: z.looseObject({}), example: {} },
  answer: {
    schema: Task,
  },
  handle: (services: A2aServices, call) => services.cancel(call),
})

export const a2aGroup: Group<A2aServices> = {
  tag: 'a2a',
  about: 'The Agent2Agent protocol: the same products as skills for agents.',
  endpoints: [describe, rpc, send, getTask, listTasks, cancelTask],
}
