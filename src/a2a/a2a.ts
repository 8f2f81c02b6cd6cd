import { randomUUID } from 'node:crypto'
import type { Log } from '../core/log.ts'
import { pathOf, urlOf } from '../discovery/address.ts'
import type { AdmitMessages } from '../http/json-rpc/admit-messages.ts'
import { createCheckHost } from '../http/request/own-host.ts'
import { createAnswerHttp, createAnswerRpc, readCanceled, readSingle } from './answer.ts'
import { createDescribe } from './describe.ts'
import type { A2aServices } from './group.ts'
import { createOperations } from './operations.ts'
import type { A2aPorts } from './send-message.ts'
import { createTasks } from './tasks.ts'

export function createA2a(
  ports: Omit<A2aPorts, 'tasks' | 'newId'> & { log: Log; admitMessages: AdmitMessages },
): A2aServices {
  const { site, clock, log, admitMessages } = ports
  const operations = createOperations({ ...ports, tasks: createTasks(clock), newId: randomUUID })
  const path = pathOf(site.catalog, 'a2a.rpc')
  const card = urlOf(site, 'document.agent_card')
  const shared = { operations, checkHost: createCheckHost(site), admitMessages, log, path, card }
  return {
    describe: createDescribe(site),
    rpc: createAnswerRpc(shared),
    send: createAnswerHttp(shared, 'SendMessage', readSingle),
    task: createAnswerHttp(shared, 'GetTask', ({ values }) => ({ id: values.id })),
    tasks: createAnswerHttp(shared, 'ListTasks', ({ query }) => Object.fromEntries(query)),
    cancel: createAnswerHttp(shared, 'CancelTask', ({ values }) => ({ id: readCanceled(values.id) })),
  }
}
