// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// A wallet that accepts every signature when somebody only asks, and none in a transaction (EIP-1271).
contract FickleWallet {
    bytes4 private constant ACCEPTED = 0x1626ba7e;
    bytes4 private constant REFUSED = 0xffffffff;

    /// A question costs nothing; a transaction has a price, and so has the estimate of its gas.
    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        return tx.gasprice == 0 ? ACCEPTED : REFUSED;
    }
}
