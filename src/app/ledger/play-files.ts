import type { Config } from '../../config/config.ts'
import { isPlayMoney } from '../../config/variables/variable.ts'
import { findSandboxFiles } from '../../sandbox/state-files.ts'

/** Real sales never go where play sales were: throws where live mode finds the files of simulated money. */
export function refusePlayFiles({ mode, dataDir }: Pick<Config, 'mode' | 'dataDir'>): void {
  const names = isPlayMoney(mode) ? [] : findSandboxFiles(dataDir)
  if (names.length > 0)
    throw new Error(
      `${dataDir} holds play money (${names.join(', ')}), and this is live mode: name another directory in ` +
        'TOLLBOOK_DATA_DIR (./data/live is the default)',
    )
}
