export { findNumber, findText, toAmount } from '../columns.ts'
