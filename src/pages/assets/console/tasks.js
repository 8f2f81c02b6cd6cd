import { element } from '../element.js'
import { TASKS_MAX } from '../facts.js'
import { count } from '../formats.js'
import { formOf, onSubmit } from './act.js'
import { badge, drawPaged, timeOf } from './draw.js'

const TONES = { high: 'bad', normal: 'idle', low: 'idle' }

export const tasks = {
  name: 'tasks',
  parts: [{ asks: 'admin.taskboard', draw }],
  wire() {
    onSubmit('admin.task', {
      question: () => (rows.length >= TASKS_MAX ? fullQuestion() : undefined),
      told: ({ task, gave_way: gone }) =>
        `Task ${task.id} is on the board.${gone ? ` The board was full: task ${gone.id}, "${gone.title}", gave way.` : ''}`,
      onDone: () => formOf('admin.task').reset(),
    })
  },
}

const COLUMNS = [
  { head: 'No.', of: ({ id }) => count(id), isNumber: true },
  { head: 'Priority', of: ({ priority }) => badge(priority, TONES[priority]) },
  {
    head: 'Task',
    of: ({ title, detail }) => [
      element('strong', {}, title),
      detail && element('p', { class: 'kept' }, detail),
    ],
  },
  { head: 'For', of: ({ assignee }) => assignee },
  { head: 'By', of: ({ by }) => by },
  { head: 'Added', of: (row) => timeOf(row.created_at) },
]

let rows = []

function fullQuestion() {
  const oldest = rows.at(-1)
  return {
    title: 'Delete the oldest task?',
    lines: [
      `The board is full. For the new task, task ${oldest.id}, "${oldest.title}", is deleted for good.`,
    ],
    yes: 'Add the task and delete the oldest',
  }
}

function draw({ tasks }) {
  rows = tasks
  drawPaged('tasks-list', 'Tasks', COLUMNS, rows, 'The board is empty.')
}
