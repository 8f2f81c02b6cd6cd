// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {PlayToken} from "./PlayToken.sol";

/// What the prediction venue counts in, as play money.
contract PolyUsd is PlayToken {
    string public constant name = "Polymarket USD";
    string public constant symbol = "pUSD";
    uint8 public constant decimals = 6;
}
