import type { Config } from '../config/config.ts'
import { isPlayMoney } from '../config/variables/variable.ts'
import { EVM_CONTRACTS } from '../sandbox/chains/evm/contracts.ts'

/** The address of the project token; the chains of play money have one of their own. Undefined: none is configured. */
export const projectTokenOf = ({ mode, projectToken }: Pick<Config, 'mode' | 'projectToken'>) =>
  isPlayMoney(mode) ? EVM_CONTRACTS.ProjectToken : projectToken
