// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {TestUsdc} from "./TestUsdc.sol";

/// A token that fails its payers in ways that USDC does not, each as `behave` says. Put in the place of USDC by tests:
/// what a facilitator calls a success is none on the chain.
contract OddUsdc is TestUsdc {
    enum Way {
        Well,
        /// Returns false and does nothing.
        False,
        /// Reverts and does not say why.
        Mute,
        /// Logs the use, and moves one millionth less than was signed.
        Short,
        /// Logs the use, and moves the money to somebody else.
        Astray,
        /// Moves nothing, while another contract logs what USDC would.
        Echo
    }

    mapping(address => Way) private wayOf;

    function behave(address payer, Way way) external {
        wayOf[payer] = way;
    }

    function pay(bytes32 typehash, Authorization memory a, bytes memory signature) internal override {
        Way way = wayOf[a.from];
        if (way == Way.Well) return super.pay(typehash, a, signature);
        if (way == Way.Mute) revert();
        if (way == Way.Echo) {
            new EchoedLogs(a.from, a.to, a.value, a.nonce);
            return;
        }
        if (way == Way.False) {
            assembly {
                mstore(0, 0)
                return(0, 32)
            }
        }
        authorizationState[a.from][a.nonce] = true;
        emit AuthorizationUsed(a.from, a.nonce);
        if (way == Way.Short) move(a.from, a.to, a.value - 1);
        else move(a.from, address(0xdead), a.value);
    }
}

/// Logs a payment that never was, from an address of its own.
contract EchoedLogs {
    event Transfer(address indexed from, address indexed to, uint256 value);
    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);

    constructor(address from, address to, uint256 value, bytes32 nonce) {
        emit AuthorizationUsed(from, nonce);
        emit Transfer(from, to, value);
    }
}
