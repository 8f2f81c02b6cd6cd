import { randomUUID } from 'node:crypto'
import { Role, type SendMessageRequest } from '@a2a-js/sdk'
import { type Client, ClientFactory, ClientFactoryOptions } from '@a2a-js/sdk/client'
import type { World } from './world.ts'

export const BINDINGS = ['JSONRPC', 'HTTP+JSON'] as const
export type Binding = (typeof BINDINGS)[number]

/** The official client, led by the agent card to the binding that is asked for. */
export function connectA2a(world: World, binding: Binding): Promise<Client> {
  const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
    preferredTransports: [binding],
  })
  return new ClientFactory(options).createFromUrl(world.url)
}

type Written = { data?: unknown; text?: string; taskId?: string; metadata?: Record<string, unknown> }

export function messageOf({ data, text, taskId = '', metadata }: Written): SendMessageRequest {
  const content =
    data === undefined
      ? { $case: 'text' as const, value: text ?? '' }
      : { $case: 'data' as const, value: data }
  return {
    tenant: '',
    message: {
      messageId: randomUUID(),
      contextId: '',
      taskId,
      role: Role.ROLE_USER,
      parts: [{ content, metadata: undefined, filename: '', mediaType: '' }],
      metadata,
      extensions: [],
      referenceTaskIds: [],
    },
    configuration: undefined,
    metadata: undefined,
  }
}
