import { z } from 'zod'
import { defineProtocol, type ProtocolCall, type ProtocolReply } from '../catalog/endpoints/protocol.ts'
import type { Group } from '../catalog/group.ts'
import { MESSAGE_LIMIT } from '../http/json-rpc/admit-messages.ts'
import { Described } from './describe.ts'

type Answer = (call: ProtocolCall) => Promise<ProtocolReply>
export type A2aServices = { describe: () => ProtocolReply; rpc: Answer; send: Answer; task: Answer }

const PATH = '/a2a'

const Nothing = z.object({})
const Sending = z.looseObject({
  message: z.looseObject({
    messageId: z.string(),
    taskId: z.string().optional().describe('Of the task that waits for its payment'),
    role: z.string(),
    parts: z.array(z.looseObject({})),
    metadata: z.record(z.string(), z.unknown()).optional(),
  }),
})
const Task = z.looseObject({
  id: z.string().min(1),
  contextId: z.string().min(1),
  status: z.looseObject({ state: z.string().min(1) }),
  artifacts: z.array(z.looseObject({})).optional(),
})
const Sent = z.looseObject({ task: Task.optional(), message: z.looseObject({}).optional() })

const sending = {
  message: {
    messageId: 'm-1',
    role: 'ROLE_USER',
    parts: [{ data: { skill: 'market.price', params: { token: 'BTC' } } }],
  },
}
const task = {
  id: '6f1c2d3e-0000-4000-8000-000000000000',
  contextId: '6f1c2d3e-0000-4000-8000-000000000001',
  status: { state: 'TASK_STATE_COMPLETED' },
  artifacts: [{ artifactId: 'reply', parts: [{ data: { token: 'BTC' } }] }],
}

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
    example: {
      name: 'Tollbook',
      protocol: 'A2A 1.0',
      url: 'https://example.com/a2a',
      bindings: ['JSONRPC', 'HTTP+JSON'],
      agent_card: 'https://example.com/.well-known/agent-card.json',
      how_to_ask: 'Send a data part with skill and params.',
    },
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
    'SendMessage, GetTask and CancelTask of the Agent2Agent protocol, alone or up to 20 in a batch. A data part names a skill of the agent card and its params. A task that must be paid for waits as input-required, with x402 terms in the metadata of its status message; the payment goes into the metadata of the next message.',
  params: Nothing,
  sample: {},
  message: {
    schema: z.looseObject({ jsonrpc: z.literal('2.0'), method: z.string(), params: Sending.optional() }),
    example: { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: sending },
  },
  answer: {
    schema: z.looseObject({ jsonrpc: z.literal('2.0') }),
    example: { jsonrpc: '2.0', id: 1, result: { task } },
  },
  handle: (services: A2aServices, call) => services.rpc(call),
})

const send = defineProtocol({
  id: 'a2a.send',
  method: 'POST',
  path: '/a2a/message:send',
  limit: MESSAGE_LIMIT,
  summary: 'A2A 1.0 messages over plain HTTP',
  description: 'The same as SendMessage, in the HTTP+JSON binding of the Agent2Agent protocol.',
  params: Nothing,
  sample: {},
  message: { schema: Sending, example: sending },
  answer: { schema: Sent, example: { task } },
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
  sample: { id: task.id },
  isSampleMadeUp: true,
  answer: { schema: Task, example: task },
  handle: (services: A2aServices, call) => services.task(call),
})

export const a2aGroup: Group<A2aServices> = {
  tag: 'a2a',
  about: 'The Agent2Agent protocol: the same products as skills for agents.',
  endpoints: [describe, rpc, send, getTask],
}
