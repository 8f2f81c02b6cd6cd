import type { Scores } from '../../backtest/metrics/scores.ts'
import type { OffsetReport } from './report.ts'

const HEAD_START = [
  'windows',
  'days',
  'hit % [95 %]',
  'skill % [95 %]',
  'ECE (chance)',
  'top 20 % hit/stated',
  'top 5 %',
]

/** The report as Markdown tables, for people. */
export function reportText(reports: readonly OffsetReport[], dataSha256: string): string {
  const preface = [
    '# What the signal was worth on windows it had not seen',
    '',
    'Written by `./tollbook train --history <folder> --report <file>`; how it is measured is in',
    `[probability](probability.md). Data digest ${dataSha256}.`,
    'In brackets after a share: its 95 % interval, whole days drawn with replacement. In brackets after the calibration',
    'error (ECE, ten bins of equal size): the error of a perfectly calibrated forecast by chance alone.',
    '',
    '',
  ].join('\n')
  return preface + reports.map(section).join('\n')
}

function section({ offsetS, overall, groups }: OffsetReport): string {
  const title =
    offsetS === 0
      ? '## At window start\n\nSkill is over the base rate of the coin.'
      : `## ${offsetS} s into the window\n\nSkill is over Φ(z) with the deviation of the last hour; its Brier score is ${overall.referenceBrier.toFixed(4)}, ours ${overall.brier.toFixed(4)}.`
  const rows = [
    ['all', '', ...cells(overall)],
    ...groups.map(({ by, name, scores }) => [by, name, ...cells(scores)]),
  ]
  return `${title}\n\n${table([['by', '', ...HEAD_START], ...rows])}\n`
}

function cells(scores: Scores): string[] {
  const [, top20, , top5] = scores.selective
  const pair = (each: typeof top20) => (each ? `${percent(each.hit, 1)}/${percent(each.stated, 1)}` : '')
  return [
    scores.count.toLocaleString('en-US'),
    String(scores.days),
    `${percent(scores.hit, 2)} [${scores.hitInterval.map((each) => percent(each, 2)).join(', ')}]`,
    `${percent(scores.skill, 2)} [${scores.skillInterval.map((each) => percent(each, 2)).join(', ')}]`,
    `${scores.ece.toFixed(4)} (${scores.eceNoiseFloor.toFixed(4)})`,
    pair(top20),
    pair(top5),
  ]
}

const percent = (share: number, digits: number) => (share * 100).toFixed(digits)

function table([head = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
