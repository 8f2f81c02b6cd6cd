// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {OUTCOME_TOKENS, POLY_USD} from "./Venue.sol";

/// Splits, merges and redeems for its caller, who must have approved it. Collateral, parent and index sets are taken
/// for the sake of the interface and have no say.
contract CollateralAdapter {
    event Split(address indexed holder, bytes32 indexed conditionId, uint256 amount);
    event Merge(address indexed holder, bytes32 indexed conditionId, uint256 amount);
    event Redeem(address indexed holder, bytes32 indexed conditionId, uint256 tokenId, uint256 shares, uint256 payout);

    function splitPosition(address, bytes32, bytes32 conditionId, uint256[] calldata, uint256 amount) external {
        uint256[2] memory ids = OUTCOME_TOKENS.conditionAt(conditionId).tokenIds;
        POLY_USD.transferFrom(msg.sender, address(this), amount);
        POLY_USD.approve(address(OUTCOME_TOKENS), amount);
        OUTCOME_TOKENS.splitPosition(address(POLY_USD), 0, conditionId, both(), amount);
        for (uint256 i = 0; i < 2; i++) OUTCOME_TOKENS.safeTransferFrom(address(this), msg.sender, ids[i], amount, "");
        emit Split(msg.sender, conditionId, amount);
    }

    function mergePositions(address, bytes32, bytes32 conditionId, uint256[] calldata, uint256 amount) external {
        uint256[2] memory ids = OUTCOME_TOKENS.conditionAt(conditionId).tokenIds;
        for (uint256 i = 0; i < 2; i++) OUTCOME_TOKENS.safeTransferFrom(msg.sender, address(this), ids[i], amount, "");
        OUTCOME_TOKENS.mergePositions(address(POLY_USD), 0, conditionId, both(), amount);
        POLY_USD.transfer(msg.sender, amount);
        emit Merge(msg.sender, conditionId, amount);
    }

    /// All shares of the caller in both outcomes.
    function redeemPositions(address, bytes32, bytes32 conditionId, uint256[] calldata) external {
        uint256[2] memory ids = OUTCOME_TOKENS.conditionAt(conditionId).tokenIds;
        for (uint256 i = 0; i < 2; i++) redeem(conditionId, ids[i], i + 1);
    }

    function redeem(bytes32 conditionId, uint256 id, uint256 indexSet) private {
        uint256 shares = OUTCOME_TOKENS.balanceOf(msg.sender, id);
        uint256[] memory indexSets = new uint256[](1);
        indexSets[0] = indexSet;
        OUTCOME_TOKENS.safeTransferFrom(msg.sender, address(this), id, shares, "");
        OUTCOME_TOKENS.redeemPositions(address(POLY_USD), 0, conditionId, indexSets);
        // Of the caller's own shares: what others sent here by mistake is redeemed too, and stays here.
        uint256 payout =
            (shares * OUTCOME_TOKENS.payoutNumerators(conditionId, indexSet - 1)) / OUTCOME_TOKENS.payoutDenominator(conditionId);
        POLY_USD.transfer(msg.sender, payout);
        if (shares > 0) emit Redeem(msg.sender, conditionId, id, shares, payout);
    }

    function both() private pure returns (uint256[] memory partition) {
        partition = new uint256[](2);
        (partition[0], partition[1]) = (1, 2);
    }
}
