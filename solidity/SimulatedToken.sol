// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {PlayToken} from "./PlayToken.sol";

/// Any token of the simulated Base. The code is planted at each token's address, and `plant` tells it who it is.
contract SimulatedToken is PlayToken {
    string public name;
    string public symbol;
    uint8 public decimals;

    /// Once. No events: these holders had their tokens before this chain began.
    function plant(
        string calldata name_,
        string calldata symbol_,
        uint8 decimals_,
        uint256 supply,
        address[] calldata holders,
        uint256[] calldata amounts
    ) external {
        require(totalSupply == 0, "planted before");
        name = name_;
        symbol = symbol_;
        decimals = decimals_;
        totalSupply = supply;
        for (uint256 i = 0; i < holders.length; i++) {
            balanceOf[holders[i]] += amounts[i];
        }
    }
}
