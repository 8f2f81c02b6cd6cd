import { redactConfig } from '../../app/doctor/redact-config.ts'
import { loadShownConfig, type ShownConfig, type ShownVariable } from '../../config/shown.ts'
import { parseOptions } from '../terminal/parse-options.ts'
import { type Fault, runCommand } from '../terminal/run-command.ts'
import { toTable } from '../terminal/table.ts'

const HELP = `usage: tollbook config [--json]

Prints the configuration that a start in this folder and environment would have: every variable with its value and
where that comes from. Secrets are not shown, so that the output may be sent to others. Bad values are named, all of
them, and nothing else is printed.

  --json  one JSON object instead of lines
`

export async function run(args: string[]): Promise<void> {
  await runCommand(HELP, parse(args), async ({ isJson }) => {
    const shown = loadShownConfig()
    const redact = redactConfig(shown.config)
    process.stdout.write(redact(isJson ? toJson(shown) : toLines(shown)))
  })
}

function parse(args: string[]): { isJson: boolean } | 'help' | Fault {
  const options = { json: { type: 'boolean', default: false } } as const
  return parseOptions(args, { options }, ({ values }) => ({ isJson: values.json }))
}

function toLines({ config, variables }: ShownConfig): string {
  const table = toTable([
    ['variable', 'value', 'from'],
    ...variables.map((each) => [each.name, shownValue(each), sourceOf(each)]),
  ])
  return [table, ...config.notices.map((notice) => `notice: ${notice}\n`)].join('')
}

const shownValue = ({ value, isHidden }: ShownVariable) => (isHidden ? 'set (hidden)' : (value ?? '-'))

function sourceOf({ source }: ShownVariable): string {
  if (source.from === 'nowhere') return '-'
  return 'path' in source ? source.path : source.from
}

/** For machines: the names are kept, the texts may change. */
function toJson({ config, variables }: ShownConfig): string {
  const report = {
    mode: config.mode,
    variables: variables.map(({ name, value, isHidden, source }) => ({
      name,
      value: value ?? null,
      is_hidden: isHidden,
      from: source.from,
      path: 'path' in source ? source.path : null,
    })),
    notices: config.notices,
  }
  return `${JSON.stringify(report, null, 2)}\n`
}
