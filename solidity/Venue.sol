// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {OutcomeTokens} from "./OutcomeTokens.sol";
import {PolyUsd} from "./PolyUsd.sol";

// Where the contracts of the prediction venue stand: the addresses that its clients know.
PolyUsd constant POLY_USD = PolyUsd(0xC011a7E12a19f7B1f670d46F03B03f3342E82DFB);
OutcomeTokens constant OUTCOME_TOKENS = OutcomeTokens(0x4D97DCd97eC945f40cF65F87097ACe5EA0476045);

// Clients sign for Polygon, whatever the number of the local chain is.
uint256 constant SIGNED_CHAIN_ID = 137;

// Whom the sandbox sends its transactions as. Nobody has its key: the local node lets the sandbox act as it.
address constant OPERATOR = 0x7011b00c000000000000000000000000000000Cc;
