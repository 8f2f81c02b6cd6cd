import { A2aError } from './a2a-error.ts'
import { canceled, checkCancelable } from './cancel-task.ts'
import { createKeepOutcome } from './keep-outcome.ts'
import { parseParams, SendParams, TaskParams } from './message.ts'
import { type A2aCaller, type A2aPorts, createSendMessage } from './send-message.ts'

export type Operation = (params: unknown, caller: A2aCaller) => unknown
export type Operations = ReadonlyMap<string, Operation>

/** By the names that the protocol gives them. What would hold a connection, or list tasks of others, is not offered. */
export function createOperations(ports: A2aPorts): Operations {
  const { tasks } = ports
  const keepOutcome = createKeepOutcome(ports)
  const sendMessage = createSendMessage(ports)
  const findTask = (params: unknown) => {
    const kept = tasks.find(parseParams(TaskParams, params).id)
    if (!kept) throw new A2aError('TASK_NOT_FOUND', 'no task has this id')
    return kept
  }
  const unsupported = () => {
    throw new A2aError(
      'UNSUPPORTED_OPERATION',
      'this agent answers at once: SendMessage and GetTask are enough',
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
    ...UNSUPPORTED.map((name): [string, Operation] => [name, unsupported]),
  ])
}

const UNSUPPORTED = [
  'SendStreamingMessage',
  'SubscribeToTask',
  'ListTasks',
  'GetExtendedAgentCard',
  'CreateTaskPushNotificationConfig',
  'GetTaskPushNotificationConfig',
  'ListTaskPushNotificationConfigs',
  'DeleteTaskPushNotificationConfig',
]
