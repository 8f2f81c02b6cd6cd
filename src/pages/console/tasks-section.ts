import { TASKS_MAX } from '../../ledger/ports/operator-book.ts'
import { numberText } from '../frame/figures.ts'
import { html } from '../frame/html.ts'
import { formFields } from './form-fields.ts'
import { part, type Section } from './section.ts'

export const tasksSection: Section = {
  name: 'tasks',
  words: 'Task board',
  lead: `Notes for whoever runs this service. Tasks stay: beyond ${numberText(TASKS_MAX)} the oldest gives way.`,
  body: (site) => html`<details class="card"><summary>Add a task</summary>
<form data-act="admin.task" autocomplete="off">
${formFields(site, 'admin.task')}
<p class="actions"><button>Add the task</button></p>
</form>
</details>
${part('tasks-list')}`,
}
