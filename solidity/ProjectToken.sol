// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {PlayToken} from "./PlayToken.sol";

/// The token whose holders sign in, as it stands in the sandbox.
contract ProjectToken is PlayToken {
    string public constant name = "Tollbook";
    string public constant symbol = "TOLL";
    uint8 public constant decimals = 18;
}
