// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// Several calls in one, for the canonical Multicall3 address: the part of its interface that chain clients
/// and payment facilitators use.
contract Aggregate {
    struct Call {
        address target;
        bytes callData;
    }

    struct Call3 {
        address target;
        bool allowFailure;
        bytes callData;
    }

    struct Result {
        bool success;
        bytes returnData;
    }

    function aggregate3(Call3[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            results[i] = run(calls[i].target, calls[i].callData, !calls[i].allowFailure);
        }
    }

    function tryAggregate(bool requireSuccess, Call[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            results[i] = run(calls[i].target, calls[i].callData, requireSuccess);
        }
    }

    function getEthBalance(address holder) external view returns (uint256) {
        return holder.balance;
    }

    function getBlockNumber() external view returns (uint256) {
        return block.number;
    }

    function getCurrentBlockTimestamp() external view returns (uint256) {
        return block.timestamp;
    }

    function getChainId() external view returns (uint256) {
        return block.chainid;
    }

    function getBasefee() external view returns (uint256) {
        return block.basefee;
    }

    function run(address target, bytes calldata callData, bool mustSucceed) private returns (Result memory result) {
        (result.success, result.returnData) = target.call(callData);
        require(result.success || !mustSucceed, "Multicall3: call failed");
    }
}
