import { A2aError, noSuchTask } from './a2a-error.ts'
import { canceled, checkCancelable } from './cancel-task.ts'
import { createKeepOutcome } from './keep-outcome.ts'
import { ListParams, parseParams, SendParams, TaskParams } from './message.ts'
import { type A2aCaller, type A2aPorts, createSendMessage } from './send-message.ts'

export type Operation = (params: unknown, caller: A2aCaller) => unknown
export type Operations = ReadonlyMap<string, Operation>

/** By the names that the protocol gives them. What would hold a connection, or call somebody back, is not offered. */
export function createOperations(ports: A2aPorts): Operations {
  const { tasks } = ports
  const keepOutcome = createKeepOutcome(ports)
  const sendMessage = createSendMessage(ports)
  const findTask = (params: unknown) => {
    const kept = tasks.find(parseParams(TaskParams, params).id)
    if (!kept) throw noSuchTask()
    return kept
  }
  const unsupported = () => {
    throw new A2aError(
      'UNSUPPORTED_OPERATION',
      'this agent answers at once: SendMessage and GetTask are enough',
    )
  }
  const notPushed = () => {
    throw new A2aError(
      'PUSH_NOTIFICATION_NOT_SUPPORTED',
      'this agent answers at once and calls nobody back: ask GetTask',
    )
  }
  return new Map<string, Operation>([
    ['SendMessage', (params, caller) => sendMessage(parseParams(SendParams, params).message, caller)],
    ['GetTask', (params) => findTask(params).task],
    [
      'CancelTask',
      (params) => {
        const kept = findTask(params)
        checkCancelable(kept)
        const { id, contextId } = kept.task
        return keepOutcome({ id, contextId, client: kept.client }, canceled(kept))
      },
    ],
    ['ListTasks', (params) => emptyPage(parseParams(ListParams, params ?? {}))],
    ...UNSUPPORTED.map((name): [string, Operation] => [name, unsupported]),
    ...PUSHED.map((name): [string, Operation] => [name, notPushed]),
  ])
}

/** Nobody signs in here, so no task is anybody's to list: only its id leads to it. */
const emptyPage = ({ pageSize }: { pageSize: number }) => ({
  tasks: [],
  nextPageToken: '',
  pageSize,
  totalSize: 0,
})

const UNSUPPORTED = ['SendStreamingMessage', 'SubscribeToTask', 'GetExtendedAgentCard']
const PUSHED = [
  'CreateTaskPushNotificationConfig',
  'GetTaskPushNotificationConfig',
  'ListTaskPushNotificationConfigs',
  'DeleteTaskPushNotificationConfig',
]
